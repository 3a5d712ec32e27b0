"""What is compiled of one kernel: a version for each kind of buffers that dispatches have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from gpucore.plugin import Source


class Version(NamedTuple):
    """For which buffers of a dispatch a kernel is compiled."""

    is_aliased: bool = False  # two of them are the same memory
    is_shifted: bool = False  # the address of one of them is not aligned
    streams: bool = False  # together they are larger than the caches


PLAIN = Version()


@dataclass(frozen=True)
class Executable:
    """Machine code of one kernel. It is freed with the last reference to this object."""

    entry: int  # its address
    run: Any  # called like the entry that `emit` describes; it releases the GIL
    scratch_nbytes: int
    code: object  # keeps the machine code in memory


class MakesVersions(Protocol):
    """Compiles a kernel, or has it compiled."""

    def compile(self, source: Source, version: Version = PLAIN) -> Executable: ...
