"""Stores that bypass the caches, in launches whose arrays are larger than the caches.

A store to a line that is not in a cache first reads it from memory. A streaming store does not, but writes lines that
are in a cache to memory, too. So it pays where the data are larger than the caches, and costs time where they are not.
The text of a kernel marks the stores that may stream; `stream` makes the version for large arrays from it. Only whole
aligned vectors are streamed. Where the alignment is not known, as in the rows of a matrix, it is tested at each store.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator
from pathlib import Path

from gpucore.plugin import ir
from gpucore.plugin.ir import walk

MARK = " ; may stream"
NEVER = "-1 ; 0 to stream"  # what the last bits of an address are compared with
_RETURN = "  ret void\n"
_DEFAULT_NBYTES = 32 << 20
_LAST_CACHE = Path("/sys/devices/system/cpu/cpu0/cache/index3/size")


def streamed_stores(module: ir.Module) -> frozenset[int]:
    """id() of the stores that each invocation executes at most once, into buffers that the kernel does not read.

    None with a fence of the device, which might not order them.
    """
    if any(isinstance(statement, ir.DeviceFence) for statement in walk.statements(module.body)):
        return frozenset()
    return frozenset(_outside_loops(module.body))


def _outside_loops(block: ir.Block) -> Iterator[int]:
    for statement in block:
        match statement:
            case ir.Store(place=ir.Place(memory=ir.Buffer(readable=False))):
                yield id(statement)
            case ir.If():
                for inner in walk.blocks(statement):
                    yield from _outside_loops(inner)


def stream(text: str) -> str:
    """A kernel's text with streaming stores. They are complete when the entry returns."""
    head, end, tail = text.replace(MARK, ", !nontemporal !0").replace(NEVER, "0").partition(_RETURN)
    return f"{head}  fence seq_cst\n{end}{tail}\n!0 = !{{i32 1}}\n"


def _cache_nbytes() -> int:
    """The size of the last cache of this machine, or a usual one."""
    try:
        return int(_LAST_CACHE.read_text().strip().removesuffix("K")) << 10
    except (OSError, ValueError):
        return _DEFAULT_NBYTES


def can_stream(machine: str = "") -> bool:
    """Whether the streaming stores of a processor, by default of this one, are whole vectors."""
    return (machine or platform.machine().lower()) in ("x86_64", "amd64")


CACHE_NBYTES = _cache_nbytes() * 7 // 8  # the rest has other data
