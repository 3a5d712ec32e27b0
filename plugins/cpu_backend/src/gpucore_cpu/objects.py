"""Kernels of packages on the processor: archives of objects, linked in memory. Imports no compiler."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Mapping

from gpucore.plugin import DriverCompileError, Source
from gpucore_cpu.archive import read_archive
from gpucore_cpu.code_memory import CodeMemory
from gpucore_cpu.elf import Object, Plan
from gpucore_cpu.emit import ENTRY, SCRATCH_NBYTES
from gpucore_cpu.levels import this_machine
from gpucore_cpu.native_functions import ENTRY_TYPE, addresses
from gpucore_cpu.relocations import AARCH64, X86_64
from gpucore_cpu.versions import PLAIN, Executable, Version

POOL = "pool.o"
VERSIONS = {
    "plain.o": PLAIN,
    "shifted.o": Version(is_shifted=True),
    "general.o": Version(is_aliased=True, is_shifted=True),
    "streaming.o": Version(streams=True),
}
"""The members of an archive, and the version that each has."""

_GENERAL = "general.o"
_MACHINES = {"x86_64": X86_64, "aarch64": AARCH64}


class Code:
    """Addresses of exported symbols by name, which are valid while the object exists."""

    def __init__(self, content: bytes, imports: Mapping[str, int]) -> None:
        found = Object(content)
        if _MACHINES.get(this_machine()) is not found.machine:
            raise ValueError(f"the code is for {found.machine.name}, and this processor is {this_machine()}")

        def resolve(name: str) -> int:
            address = imports.get(name) or addresses().get(name)
            if not address:
                raise ValueError(f"the C library of this machine has no function {name}")
            return address

        plan = Plan(found)
        self._memory = CodeMemory(plan.nbytes)
        self._memory.fill(plan.link(self._memory.address, resolve))
        self._exports = plan.exports(self._memory.address)

    def __getitem__(self, name: str) -> int:
        if name not in self._exports:
            raise ValueError(f"the code does not define {name}")
        return self._exports[name]


class Archive:
    """The versions of one kernel. Safe to use from several threads."""

    def __init__(self, kernel: str, content: bytes) -> None:
        self._kernel = kernel
        self._linked: dict[str, Executable] = {}
        self._lock = threading.Lock()
        try:
            self.members = read_archive(content)
            self._entry(_GENERAL)
        except (ValueError, OSError) as error:
            raise self._refusal(error) from error

    def compile(self, source: Source, version: Version = PLAIN) -> Executable:
        """The code of a version, or of the one for all buffers."""
        name = next((name for name, each in VERSIONS.items() if each == version and name in self.members), _GENERAL)
        try:
            return self._entry(name)
        except (ValueError, OSError) as error:
            raise self._refusal(error) from error

    def _entry(self, name: str) -> Executable:
        with self._lock:
            if name not in self._linked:
                if name not in self.members:
                    raise ValueError(f"the archive has no {name}")
                code = Code(self.members[name], {})
                scratch = ctypes.c_int64.from_address(code[SCRATCH_NBYTES]).value
                self._linked[name] = Executable(code[ENTRY], ENTRY_TYPE(code[ENTRY]), scratch, code)
            return self._linked[name]

    def _refusal(self, error: Exception) -> DriverCompileError:
        return DriverCompileError(
            "GP611", f"the machine code of {self._kernel} cannot be loaded: {error}",
            why="it is damaged, or for another system", fix="build the package again, for this processor and system",
        )  # fmt: skip


def link_pool(content: bytes, imports: Mapping[str, int]) -> Code:
    """The code of a pool of threads, given the addresses of functions that it imports."""
    try:
        return Code(content, imports)
    except (ValueError, OSError) as error:
        message = f"the code of the pool of threads cannot be loaded: {error}"
        raise DriverCompileError("GP611", message, fix="build the package again") from error
