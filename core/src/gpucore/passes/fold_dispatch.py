"""fold_dispatch: the variant of a kernel for grids with more workgroups along an axis than the device allows.

For a requested grid of (x, y, z) workgroups, x * y * z < 2**32, the host dispatches (columns, rows, 1) workgroups with
columns * rows >= x * y * z. Each workgroup computes its linear number, exits if that is too large, and computes which
workgroup of the requested grid it is. All of that is uniform over the workgroup, so barriers in the kernel stay legal.
"""

from __future__ import annotations

import dataclasses

from gpucore.ir import (
    I32,
    U32,
    Builtin,
    BuiltinKind,
    Convert,
    Expr,
    GridOrigin,
    If,
    Let,
    Module,
    Param,
    Stmt,
    Value,
    build,
    walk,
)

_AXES = ("x", "y", "z")


def fold_dispatch(module: Module) -> Module:
    """The module with the params "columns", "x", "y" and "z" (GridOrigin, i32) appended, for a folded grid."""
    first = len(module.params)
    columns, *extents = (Param(first + i, f"grid_{what}", I32) for i, what in enumerate(("columns", *_AXES)))
    fresh = walk.next_id(module)
    linear = Value(fresh, "linear_workgroup_id", U32)
    ids = tuple(Value(fresh + 1 + axis, f"workgroup_id_{name}", I32) for axis, name in enumerate(_AXES))
    used: set[int] = set()

    def leaf(found: walk.Leaf) -> Expr:
        if isinstance(found, Builtin) and found.kind is BuiltinKind.WORKGROUP_ID:
            used.add(found.axis)
            return ids[found.axis]
        if isinstance(found, Builtin) and found.kind is BuiltinKind.NUM_WORKGROUPS:
            return extents[found.axis]
        return found

    body = walk.map_block(module.body, lambda expr: walk.map_leaves(expr, leaf))
    x, y, z = (Convert(extent, U32) for extent in extents)
    row = build.mul(_workgroup_id(1), Convert(columns, U32))
    coordinates = (
        build.floor_mod(linear, x),
        build.floor_mod(build.floor_div(linear, x), y),
        build.floor_div(linear, build.mul(x, y)),
    )
    lets: tuple[Stmt, ...] = tuple(Let(ids[axis], Convert(coordinates[axis], I32)) for axis in sorted(used))
    total = build.mul(build.mul(x, y), z)
    return dataclasses.replace(
        module,
        params=(*module.params, columns, *extents),
        origins=(*module.origins, GridOrigin("columns"), *map(GridOrigin, _AXES)),
        body=(
            Let(linear, build.add(_workgroup_id(0), row)),
            If(build.lt(linear, total), lets + body),
        ),
    )


def _workgroup_id(axis: int) -> Expr:
    return Convert(Builtin(BuiltinKind.WORKGROUP_ID, axis), U32)
