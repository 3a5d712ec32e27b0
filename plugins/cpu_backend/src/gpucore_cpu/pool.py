"""Threads that share the workgroups of one launch: see `pool_code` for how they wait and take their parts."""

from __future__ import annotations

import ctypes
import functools
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from gpucore_cpu.memory import ScratchMemory, allocate_aligned
from gpucore_cpu.pool_code import CLOSE, CONDITIONS, NBYTES, REPLAY, SERVE, SHARE, WORK, WORK_OFFSET, pool_text

CLOSE_PATIENCE = 2.0  # seconds that closing waits for the running task
_LOOKS = 2000  # for work, or for its end, before a thread sleeps: 30 to 100 us. To wake it takes as long
_LEAST_CHUNKS = 32  # the smallest chunk is this part of what one of the threads runs

_POSIX = {"gpucore_lock": "pthread_mutex_lock", "gpucore_unlock": "pthread_mutex_unlock",
          "gpucore_sleep": "pthread_cond_wait", "gpucore_wake": "pthread_cond_signal"}  # fmt: skip
_WINDOWS = {"gpucore_lock": "AcquireSRWLockExclusive", "gpucore_unlock": "ReleaseSRWLockExclusive",
            "gpucore_sleep": "SleepConditionVariableSRW", "gpucore_wake": "WakeConditionVariable"}  # fmt: skip
IMPORTS = tuple(_POSIX)
"""The functions that the code of a pool imports."""

_INTEGER, _POINTER = ctypes.c_int64, ctypes.c_void_p
_SERVE = ctypes.CFUNCTYPE(None, _POINTER, _INTEGER, _INTEGER)
_CLOSE = ctypes.CFUNCTYPE(None, _POINTER, _INTEGER)
_SHARE = ctypes.CFUNCTYPE(_INTEGER, _POINTER, _INTEGER, _INTEGER, _INTEGER)
_REPLAY = ctypes.CFUNCTYPE(None, _POINTER, _POINTER, _INTEGER, _INTEGER)


class Code(Protocol):
    """Addresses of exported functions by name, which are valid while the object exists."""

    def __getitem__(self, name: str, /) -> int: ...


Load = Callable[[str, Sequence[str], Mapping[str, int]], Code]
"""Compiles a text, given the names that it exports and the addresses of what it imports."""


class Pool:
    """`num_threads` - 1 helpers, started when they are needed, and the thread that shares its work.

    The helpers are daemons and hold no reference to the pool, so an unused device can be collected, and an exiting
    interpreter does not wait for a kernel that never ends.
    """

    def __init__(self, num_threads: int, load: Load) -> None:
        self.num_threads = num_threads
        self.scratch = ScratchMemory(num_threads)
        self._load = load
        self._helpers: list[threading.Thread] = []
        self._memory = allocate_aligned(NBYTES)
        self._memory[:] = 0
        self._address = self._memory.ctypes.data
        self._code: Code | None = None

    def prepare(
        self, entry: int, scratch_nbytes: int, buffers: bytes, scalars: bytes, workgroups: tuple[int, int, int],
        first: int, num_threads: int,
    ) -> Callable[[], int]:  # fmt: skip
        """A function that runs the workgroups from `first` on with at most `num_threads` threads, waits, and returns
        how many of them the calling thread ran. The arguments are those of the entry that `emit` describes.
        """
        helpers = self.describe(
            self._memory.data, WORK_OFFSET, entry, scratch_nbytes, address_of(buffers), address_of(scalars),
            workgroups, first, num_threads,
        )  # fmt: skip
        return functools.partial(self._share, self._address, first, helpers, _LOOKS)

    def describe(
        self, memory: memoryview, offset: int, entry: int, scratch_nbytes: int, buffers: int, scalars: int,
        workgroups: tuple[int, int, int], first: int, num_threads: int,
    ) -> int:  # fmt: skip
        """Store the description of work, of which `buffers` and `scalars` are the addresses, and see that there is what
        it needs; returns how many helpers that are."""
        last = workgroups[0] * workgroups[1] * workgroups[2]
        helpers = min(num_threads, self.num_threads, last - first) - 1
        self._start(helpers)
        for thread in range(self.num_threads):  # any may take part, also one that is started before a replay
            self.scratch.address(thread, scratch_nbytes)
        least = max(1, (last - first) // ((helpers + 1) * _LEAST_CHUNKS))
        WORK.pack_into(
            memory, offset, entry, buffers, scalars, ctypes.addressof(self.scratch.addresses), *workgroups, helpers,
            last, least, 2 * (helpers + 1),
        )  # fmt: skip
        return helpers

    def replayer(self, works: int, count: int) -> Callable[[], None]:
        """A function that does `count` pieces of work one after the other, described from the address `works` on."""
        self._start(0)
        return functools.partial(self._replay, self._address, works, count, _LOOKS)

    def _start(self, count: int) -> None:
        """Start helpers until there are `count`, or as many as the system allows."""
        if self._code is None:
            library = ctypes.windll.kernel32 if os.name == "nt" else ctypes.CDLL(None)  # type: ignore[attr-defined]  # of Windows
            names = _WINDOWS if os.name == "nt" else _POSIX
            if os.name != "nt":
                library.pthread_mutex_init(_POINTER(self._address), None)
                for condition in CONDITIONS:
                    library.pthread_cond_init(_POINTER(self._address + condition), None)
            imports = {name: _function(library, real) for name, real in names.items()}
            code = self._load(pool_text(), (SERVE, SHARE, REPLAY, CLOSE), imports)
            self._share, self._replay, self._code = _SHARE(code[SHARE]), _REPLAY(code[REPLAY]), code
        while len(self._helpers) < count:
            number = len(self._helpers) + 1
            arguments = (self._code, self._memory, self._address, number)
            helper = threading.Thread(target=_serve, args=arguments, name=f"gpucore-cpu-{number}", daemon=True)
            self._helpers.append(helper)  # first: Ctrl-C may end `start`, and no two threads may have the same number
            try:
                helper.start()
            except RuntimeError:  # the system gives no more threads: those that there are share the work
                self._helpers.pop()
                return

    def close(self) -> None:
        """Stop the helpers; a busy one ends after its task. No more are started."""
        self.num_threads = 1
        if self._code is not None:
            _CLOSE(self._code[CLOSE])(self._address, len(self._helpers))
        deadline = time.monotonic() + CLOSE_PATIENCE
        for helper in filter(threading.Thread.is_alive, self._helpers):
            helper.join(max(0.0, deadline - time.monotonic()))
        self._helpers.clear()


def _serve(code: Code, memory: object, address: int, number: int) -> None:
    """The work of a helper, which keeps the code and the memory of its pool."""
    _SERVE(code[SERVE])(address, number, _LOOKS)


def address_of(data: bytes) -> int:
    """The address of bytes, which the caller keeps."""
    return ctypes.cast(ctypes.c_char_p(data), _POINTER).value or 0


def _function(library: Any, name: str) -> int:
    """The address of a function of the system."""
    return ctypes.cast(getattr(library, name), _POINTER).value or 0
