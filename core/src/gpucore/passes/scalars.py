"""scalar_replacement: turns a private array that is indexed only by constants into one local per element."""

from __future__ import annotations

import dataclasses

from gpucore.ir import (
    Assign,
    Block,
    Bounds,
    Constant,
    Declare,
    DeclareArray,
    Expr,
    GroupMultiply,
    GroupWait,
    Let,
    Load,
    Local,
    MatrixAccumulate,
    Module,
    Place,
    PrivateArray,
    Splat,
    Stmt,
    Store,
    Type,
    VectorType,
    scalar_of,
    walk,
)


def scalar_replacement(module: Module) -> Module:
    """The module without such arrays. One with an index out of range stays: the validator reports the location."""
    elements = _replaceable(module)
    if not elements:
        return module

    def unchanged(expr: Expr) -> Expr:
        return expr

    def rewrite(block: Block) -> Block:
        out: list[Stmt] = []
        for statement in block:
            replaced = _replace(statement, elements)
            out.extend([walk.map_statement(statement, unchanged, rewrite)] if replaced is None else replaced)
        return walk.same_or(block, out)

    return dataclasses.replace(module, body=rewrite(module.body))


def _replaceable(module: Module) -> dict[int, list[Local]]:
    """By array id: the locals of its elements."""
    arrays: dict[int, PrivateArray] = {}
    dynamic: set[int] = set()
    for statement in walk.statements(module.body):
        if isinstance(statement, DeclareArray):
            arrays[statement.array.id] = statement.array
        elif isinstance(statement, (GroupMultiply, GroupWait)):
            dynamic.add(statement.sums.id)
        elif isinstance(statement, MatrixAccumulate):
            dynamic.update(part.array.id for part, _ in statement.parts)
        elif (place := walk.place_of(statement)) is not None and isinstance(place.memory, PrivateArray):
            index = place.index
            if not isinstance(index, Constant) or not 0 <= index.value < place.memory.length:
                dynamic.add(place.memory.id)
    elements: dict[int, list[Local]] = {}
    fresh = walk.next_id(module)
    for array in arrays.values():
        if array.id not in dynamic:
            names = (f"{array.name}_{index}" for index in range(array.length))
            elements[array.id] = [Local(fresh + i, name, array.element) for i, name in enumerate(names)]
            fresh += array.length
    return elements


def _replace(statement: Stmt, elements: dict[int, list[Local]]) -> list[Stmt] | None:
    """The statements that replace `statement`; None if it does not use these arrays."""
    match statement:
        case DeclareArray() if statement.array.id in elements:
            locals_ = elements[statement.array.id]
            return [Declare(local, _zero(local.type), statement.span) for local in locals_]
        case Bounds() if isinstance(statement.memory, PrivateArray) and statement.memory.id in elements:
            return []
        case Load() if (local := _element(statement.place, elements)) is not None:
            return [Let(statement.value, local, statement.span)]
        case Store() if (local := _element(statement.place, elements)) is not None:
            return [Assign(local, statement.expr, statement.span)]
        case _:
            return None


def _element(place: Place, elements: dict[int, list[Local]]) -> Local | None:
    if not isinstance(place.memory, PrivateArray) or place.memory.id not in elements:
        return None
    assert isinstance(place.index, Constant)
    return elements[place.memory.id][int(place.index.value)]


def _zero(type: Type) -> Expr:
    scalar = scalar_of(type)
    zero = Constant(0.0 if scalar.is_float else 0 if scalar.is_integer else False, scalar)
    return Splat(zero, type) if isinstance(type, VectorType) else zero
