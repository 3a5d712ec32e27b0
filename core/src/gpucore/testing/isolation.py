"""Behaviours in a child process, so that a hang or a crash of a backend is one failure.

The child opens the device once and runs one behaviour after the other. After a hang or a crash it is started again for
the next one. Its standard output and error belong to the backend and its drivers; the end of them is in the failure.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from types import TracebackType
from typing import IO, Any

from gpucore.errors import BackendUnavailableError, DeviceError
from gpucore.runtime.probing.child_process import Run, describe_end, quote_output
from gpucore.testing.behaviours import Behaviour, Outcome
from gpucore.testing.processes import environment_of_child

TIME_LIMIT = 120.0
"""Seconds that a behaviour may take, unless a run says another limit. Their own waits for work end before it."""

GRACE = 5.0
"""Seconds after the limit in which a child writes its stack and ends itself."""

_MODULE = "gpucore.testing.isolation_child"
_TIMEOUT = re.compile(r"^Timeout \(.*\)!$", re.MULTILINE)  # as faulthandler prints
_THREAD = re.compile(r"^(?:Current t|T)hread .*$", re.MULTILINE)
_FRAMES = 6  # of a stack that are shown


class DeviceFailedError(DeviceError):
    """A child process could not open the device: it failed, crashed or hung."""


class Isolation:
    """Runs behaviours of one device in a child process: `with Isolation("mybackend") as isolation:`.

    `imports` are modules that the child imports first, such as one that calls `gp.register_backend`. The process may
    take `start_limit` seconds to start and to open the device.
    """

    def __init__(
        self, device: str, time_limit: float = TIME_LIMIT, imports: Sequence[str] = (), start_limit: float = TIME_LIMIT
    ) -> None:
        self.device, self.time_limit, self._imports = device, time_limit, tuple(imports)
        self.start_limit = start_limit
        self.info: dict[str, str] = {}
        """id, name, kind and driver of the device, once it is open."""
        self._child: _Child | None = None
        self._problem: Exception | None = None

    def __enter__(self) -> Isolation:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def open(self) -> None:
        """Start the child and open the device. Raises BackendUnavailableError if there is none, and DeviceFailedError
        if opening it failed, crashed or hung; the next call raises the same again."""
        if self._child is not None:
            return
        if self._problem is not None:
            raise self._problem
        self._child = _Child(self.device, self.time_limit, self.start_limit, self._imports)
        answer = self._child.ask("", self.start_limit)
        if isinstance(answer, str):
            self._problem = DeviceFailedError(f"opening {self.device} {answer}")
        elif "absent" in answer:
            self._problem = BackendUnavailableError(answer["absent"])
        elif "broken" in answer:
            self._problem = DeviceFailedError(answer["broken"])
        else:
            self.info = answer["ready"]
            return
        self.close()
        raise self._problem

    def run(self, behaviour: Behaviour) -> Outcome:
        """Run a behaviour. Raises as `open`."""
        if self._child is not None and not self._child.is_alive():
            end = self._child.describe_end()
            self.close()
            return Outcome(behaviour, "failed", f"before it began, the behaviour that ran last {end}")
        self.open()
        assert self._child is not None
        started = time.perf_counter()
        answer = self._child.ask(behaviour.number, self.time_limit)
        if isinstance(answer, str):
            self.close()
            return Outcome(behaviour, "failed", answer, time.perf_counter() - started)
        return Outcome(behaviour, answer["status"], answer["reason"], answer["seconds"], answer["trace"])

    def close(self) -> None:
        """End the child."""
        child, self._child = self._child, None
        if child is not None:
            child.close()


class _Child:
    """A child process that runs behaviours."""

    def __init__(self, device: str, time_limit: float, start_limit: float, imports: Sequence[str]) -> None:
        self._printed: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (closed by `close`)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", _MODULE, device, f"--time-limit={time_limit}", f"--start-limit={start_limit}",
             *(f"--import={name}" for name in imports)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._printed, text=True, encoding="utf-8",
            env=environment_of_child(), start_new_session=os.name == "posix",
        )  # fmt: skip
        self._begin, self._seconds = 0, time_limit
        self._answers: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, name="gpucore-conformance-answers", daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._answers.put(line)
        self._answers.put("")

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, number: str, seconds: float) -> dict[str, Any] | str:
        """The child's answer about a behaviour ("": about the device), or how the process ended without one."""
        self._begin, self._seconds = self._printed.seek(0, os.SEEK_END), seconds
        if number:
            with contextlib.suppress(OSError):  # it has ended: so does its answer
                assert self._process.stdin is not None
                self._process.stdin.write(f"{number}\n")
                self._process.stdin.flush()
        try:
            line = self._answers.get(timeout=seconds + GRACE)
        except queue.Empty:
            line = ""
        if line:
            answer: dict[str, Any] = json.loads(line)
            return answer
        return self.describe_end()

    def describe_end(self) -> str:
        """What happened to the process since the last question, which it did not answer, or after its answer."""
        with contextlib.suppress(subprocess.TimeoutExpired):  # the end of its answers comes before its own
            self._process.wait(1.0)
        self._printed.seek(self._begin)
        printed = self._printed.read().decode("utf-8", errors="replace")
        return _describe(self._process.poll(), printed, self._seconds)

    def close(self) -> None:
        """End the process, and what it started."""
        if self._process.poll() is None:
            if sys.platform != "win32":
                os.killpg(self._process.pid, signal.SIGKILL)  # the pid is not reused before `wait`
            else:
                self._process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):  # it ends when a system call of its driver returns
            self._process.wait(GRACE)
        with contextlib.suppress(OSError):
            assert self._process.stdin is not None and self._process.stdout is not None
            self._process.stdin.close()
            self._reader.join(GRACE)
            if not self._reader.is_alive():
                self._process.stdout.close()
        self._printed.close()


def _describe(code: int | None, printed: str, seconds: float) -> str:
    """What happened to a process that gave no answer."""
    said, *stack = _TIMEOUT.split(printed, maxsplit=1)
    if code is None or stack:
        frames = _THREAD.split(stack[0])[-1].strip("\n").splitlines() if stack else []  # the main thread is the last
        shown = "".join(f"\n{line}" for line in frames[:_FRAMES])
        return f"did not end in {seconds:g} s{quote_output(said)}{shown}"
    return describe_end(Run((), code, printed))
