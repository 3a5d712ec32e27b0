"""fix_builtins: constants for what a compilation knows of each dispatch."""

from __future__ import annotations

import dataclasses
import itertools

from gpucore.ir import I32, Assumption, Buffer, Builtin, BuiltinKind, Constant, Expr, Module, Origin, ShapeOrigin, walk


def fix_builtins(module: Module, subgroup_size: int, alignment: int, *, assume: bool) -> Module:
    """The module with the size and the number of subgroups (0: unknown) and the alignment of the arrays as constants;
    the module itself if it uses none of them.

    If `assume`, the rows of the arrays of which the kernel asks it are multiples of the alignment, which
    `Module.assumptions` then says.
    """
    known: dict[walk.Leaf, Expr] = {Builtin(BuiltinKind.ALIGNMENT, 0): Constant(alignment, I32)}
    if subgroup_size:
        number = -(-module.num_invocations // subgroup_size)
        known[Builtin(BuiltinKind.SUBGROUP_SIZE, 0)] = Constant(subgroup_size, I32)
        known[Builtin(BuiltinKind.NUM_SUBGROUPS, 0)] = Constant(number, I32)
    of_rows = {Builtin(BuiltinKind.ROW_ALIGNMENT, buffer.index): buffer for buffer in module.buffers}
    row_alignment = Constant(alignment if assume else 1, I32)
    asked: dict[Buffer, None] = {}

    def constant(leaf: walk.Leaf) -> Expr:
        buffer = of_rows.get(leaf) if isinstance(leaf, Builtin) else None
        if buffer is None:
            return known.get(leaf, leaf)
        asked[buffer] = None
        return row_alignment

    body = walk.map_block(module.body, lambda expr: walk.map_leaves(expr, constant))
    if body is module.body:
        return module
    made = itertools.chain.from_iterable(_of_rows(each, alignment) for each in asked if row_alignment.value > 1)
    return dataclasses.replace(module, body=body, assumptions=(*module.assumptions, *made))


def _of_rows(buffer: Buffer, alignment: int) -> tuple[Assumption, Assumption]:
    """That the rows of an array are multiples of the alignment, and that it has elements."""
    multiple = max(1, alignment // buffer.element.nbytes)
    axes: tuple[Origin, ...] = tuple(ShapeOrigin(buffer.name, axis) for axis in range(buffer.rank))
    return Assumption(((1, axes[-1:]),), multiple), Assumption(((1, axes), (-1, ())))
