"""fix_builtins: constants for what a compilation knows of each dispatch."""

from __future__ import annotations

import dataclasses

from gpucore.ir import I32, Builtin, BuiltinKind, Constant, Expr, Module, walk


def fix_builtins(module: Module, subgroup_size: int, alignment: int) -> Module:
    """The module with the size and the number of subgroups (0: unknown) and the alignment of the arrays as constants;
    the module itself if it uses none of them."""
    known: dict[walk.Leaf, Expr] = {Builtin(BuiltinKind.ALIGNMENT, 0): Constant(alignment, I32)}
    if subgroup_size:
        number = -(-module.num_invocations // subgroup_size)
        known[Builtin(BuiltinKind.SUBGROUP_SIZE, 0)] = Constant(subgroup_size, I32)
        known[Builtin(BuiltinKind.NUM_SUBGROUPS, 0)] = Constant(number, I32)
    body = walk.map_block(module.body, lambda expr: walk.map_leaves(expr, lambda leaf: known.get(leaf, leaf)))
    return module if body is module.body else dataclasses.replace(module, body=body)
