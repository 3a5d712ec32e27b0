"""A kernel with a place for every statement, and ways to spoil its text."""

from __future__ import annotations

from dataclasses import replace

from ir_build import KernelBuilder, binary, constant

from gpucore.ir import F32, If, SubgroupOp, ValidModule
from gpucore.ir.module import make_valid_module
from gpucore.runtime.protocol import Source
from gpucore.span import Span

FILE = "kernels.py"
KERNEL = Span(FILE, 1, 0, 1, 10, "spread")


def at(line: int) -> Span:
    return Span(FILE, line, 4, line, 20, "spread")


def spread() -> ValidModule:
    """Statements on lines 2 to 9 of `kernels.py`, one of them on two lines of text and some with blocks."""
    kernel = KernelBuilder("spread")
    x, out = kernel.buffer("x", F32, "in"), kernel.buffer("out", F32, "out")
    kernel.span = at(2)
    i = kernel.global_id()
    kernel.span = at(3)
    first = kernel.load(x, i, "first")
    kernel.span = at(4)
    total = kernel.declare("total", first)
    last = kernel.declare("last", binary(i, "+", 1))
    kernel.span = at(5)
    with kernel.repeat("k", i, binary(last, "+", 3)) as k:
        kernel.span = at(6)
        with kernel.when(binary(k, ">", 2)):
            kernel.span = at(7)
            kernel.assign(total, binary(total, "*", 0.5))
            kernel.span = at(6)
        kernel.span = at(5)
    kernel.span = at(8)
    with kernel.when(binary(total, ">", 1.0)):
        kernel.span = at(9)
        kernel.store(out, i, total)
        kernel.span = at(8)
    valid = kernel.valid()
    *rest, last_one = valid.module.body
    assert isinstance(last_one, If)
    kernel = KernelBuilder("else")
    kernel.span = at(10)
    kernel.store(out, constant(0), first)
    body = (*rest, replace(last_one, orelse=kernel.valid().module.body))
    module = replace(valid.module, body=body, span=KERNEL)
    return make_valid_module(
        module, valid.slots, valid.scalars_nbytes, valid.needs, valid.atomic_memories, valid.written_buffers,
        valid.barrier_orders_buffers,
    )  # fmt: skip


PLACES = {
    "const int i = ": 2,
    "const float first = ": 3,
    "float total = ": 4,
    "int last = ": 4,
    "const int k_stop = ": 5,
    "for (int k = ": 5,
    "if (k > 2) {": 6,
    "total = total * 0.5f;": 7,
    "if (total > 1.0f) {": 8,
    "out[i] = total;": 9,
    "else {": 8,
    "out[0] = first;": 10,
}
"""How lines of the text begin -> the line of `kernels.py`."""


def spoiled(source: Source, line: str) -> Source:
    """The source with a word that means nothing in the line of text that begins so."""
    lines = source.text.splitlines()
    index = next(index for index, text in enumerate(lines) if text.strip().startswith(line))
    for opening in (" = ", "("):
        if opening in lines[index]:
            lines[index] = lines[index].replace(opening, f"{opening}bogus_word * ", 1)
            break
    else:
        lines[index] = lines[index].replace("{", "{ bogus_word;", 1)
    return replace(source, text="\n".join(lines) + "\n")


def subgroup_sum() -> ValidModule:
    """A kernel that needs more than OpenCL C 1.2."""
    kernel = KernelBuilder("subgroup_sum")
    x = kernel.buffer("x", F32)
    i = kernel.global_id()
    kernel.store(x, i, kernel.subgroup(SubgroupOp.ADD, kernel.load(x, i)))
    return kernel.valid()
