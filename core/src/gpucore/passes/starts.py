"""add_starts: the variant of a kernel for arrays that begin inside their buffers.

A device binds memory from multiples of its alignment only. An array that begins in between is bound from the multiple
before, and its kernel adds the number of elements up to its first one to each index. This runs after all passes that
know the length of an array, such as the clamping of indices.
"""

from __future__ import annotations

import dataclasses

from gpucore.ir import (
    I32,
    Atomic,
    Block,
    Buffer,
    Convert,
    CopyAsync,
    CopyPart,
    Load,
    Module,
    Param,
    Place,
    Prefetch,
    StartOrigin,
    Stmt,
    Store,
    build,
    walk,
)


def add_starts(module: Module, buffers: tuple[int, ...]) -> Module:
    """The module with a param (StartOrigin, i32) appended for each of the buffers, which are given by their indices."""
    first = len(module.params)
    names = {index: module.buffers[index].name for index in buffers}
    starts = {index: Param(first + at, f"{names[index]}_start", I32) for at, index in enumerate(buffers)}

    def moved(place: Place) -> Place:
        start = starts.get(place.memory.index) if isinstance(place.memory, Buffer) else None
        if start is None:
            return place
        index = place.index if place.index.type == I32 else Convert(place.index, I32)
        return dataclasses.replace(place, index=build.add(start, index))

    def statement(found: Stmt) -> Stmt:
        if isinstance(found, (CopyAsync, CopyPart)):
            source = moved(found.source)
            return found if source is found.source else dataclasses.replace(found, source=source)
        if isinstance(found, (Load, Store, Atomic, Prefetch)):
            place = moved(found.place)
            return found if place is found.place else dataclasses.replace(found, place=place)
        return walk.map_statement(found, lambda expr: expr, block)

    def block(found: Block) -> Block:
        return walk.same_or(found, [statement(each) for each in found])

    return dataclasses.replace(
        module,
        params=(*module.params, *starts.values()),
        origins=(*module.origins, *map(StartOrigin, names.values())),
        body=block(module.body),
    )
