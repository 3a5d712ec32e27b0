"""Lowering of assignments to names, array elements, vector components and tuples."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from typing import NoReturn

from gpucore import ir
from gpucore.errors import KernelSyntaxError, KernelTypeError
from gpucore.front.state.context import Context
from gpucore.front.state.operands import EXPR_CLASSES, ArrayReference, Operand, Static, StructValue, describe, items_of
from gpucore.front.state.wording import article
from gpucore.front.text.nominal import nominal_type
from gpucore.front.values.convert import as_expr, freeze
from gpucore.front.values.elements import Access, check_writable, load, refuse_rank, store, subscript
from gpucore.front.values.masks import components
from gpucore.front.values.operators import binary
from gpucore.front.values.positions import Position
from gpucore.front.values.struct_constants import expand_constant
from gpucore.front.values.variables import bind_name, change, vary
from gpucore.front.walk.memory import attribute, component, position, read, refer
from gpucore.front.walk.overloads import add_product, overloaded_in_place
from gpucore.immutable import Immutable
from gpucore.structs import StructDType, fields_of, matrix_hint
from gpucore.types import DTYPES, Const, DType, In, InOut, Out


def lower_assign(context: Context, node: ast.Assign) -> None:
    """`target = value`, with one target or several."""
    for target in node.targets:
        _note_names(context, target, node.value)
    value = context.expression(context, node.value)
    if len(node.targets) > 1:
        value = freeze(context, value, node)
    for target in node.targets:
        assign(context, target, value, node.value)


def _note_names(context: Context, target: ast.expr, value: ast.expr) -> None:
    """Record the name of the variable that a call is assigned to, in case the call creates an array."""
    if isinstance(target, ast.Name) and isinstance(value, ast.Call):
        context.array_names[value] = target.id
    elif isinstance(value, ast.IfExp):
        _note_names(context, target, value.body)
        _note_names(context, target, value.orelse)
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        for part, item in zip(target.elts, value.elts, strict=True):
            _note_names(context, part, item)


def _annotated(context: Context, node: ast.AnnAssign, given: object) -> str:
    """The annotated assignment to write, with the type nearest to the given annotation."""
    nearest = {float: "f32", int: "i32", bool: "bool"}.get(given) if isinstance(given, type) else None
    nearest = nearest or next((str(dtype.ir_type) for dtype in DTYPES if dtype == given), "f32")
    value = "0" if node.value is None else context.text(node.value)
    return f"{context.text(node.target) if isinstance(node.target, ast.Name) else 'x'}: gp.{nearest} = {value}"


def _is_for_parameters(annotation: object) -> bool:
    return any(annotation is kind for kind in (In, Out, InOut, Const))


def _refuse_annotation(context: Context, node: ast.AnnAssign, given: object) -> NoReturn:
    context.error(
        KernelSyntaxError,
        "GP102",
        "an annotated variable needs the type of a scalar, vector, struct or enum, and a value",
        node,
        why="the first assignment determines the type of a variable",
        fix=f"write {_annotated(context, node, given)}",
    )


def _check_annotation(context: Context, node: ast.AnnAssign) -> None:
    """Refuse annotations of parameters, such as `gp.In`, and types that a variable cannot have, as `list[int]`."""
    outer = node.annotation.value if isinstance(node.annotation, ast.Subscript) else node.annotation
    named = context.expression(context, outer) if isinstance(outer, (ast.Name, ast.Attribute)) else None
    given = named.value if isinstance(named, Static) else None
    if isinstance(node.annotation, ast.Subscript) and isinstance(given, type) and not _is_for_parameters(given):
        _refuse_annotation(context, node, given)
    if _is_for_parameters(given):
        plain = f"{context.text(node.target)} = {context.text(node.value)}" if node.value is not None else ""
        context.error(
            KernelSyntaxError,
            "GP102",
            f"{context.text(outer)} annotates parameters, not variables",
            node.annotation,
            why="the value assigned to a variable determines its type",
            fix=f"write {plain}" if plain else "leave it out",
        )


def lower_annotated(context: Context, node: ast.AnnAssign) -> None:
    """`x: gp.f32 = 0`, `kind: Kind = Kind.A`: a literal takes the annotated type; a typed value must have it."""
    _check_annotation(context, node)
    annotation = context.expression(context, node.annotation)
    dtype = annotation.value if isinstance(annotation, Static) else None
    nominal = nominal_type(dtype)
    is_type = isinstance(dtype, (DType, StructDType)) or nominal is not None
    if node.value is None or not is_type or not isinstance(node.target, ast.Name):
        _refuse_annotation(context, node, dtype)
    operand = expand_constant(context, context.expression(context, node.value), node.value)
    if isinstance(dtype, StructDType):
        if not isinstance(operand, StructValue) or operand.cls is not dtype:
            context.error(
                KernelTypeError,
                "GP201",
                f"the variable {node.target.id!r} is annotated {dtype.__name__}, not {describe(operand)}",
                node.value,
                why="a variable has one type, which the annotation names",
                fix=f"give {article(dtype.__name__)}, or change the annotation",
            )
        bind_name(context, node.target, operand, node.value)
        return
    context.has_nominal_types |= nominal is not None
    type = dtype.ir_type if isinstance(dtype, DType) else nominal
    bind_name(context, node.target, as_expr(context, operand, node.value, type), node.value)


def lower_augmented(context: Context, node: ast.AugAssign) -> None:
    """`x += value`, `a[i] += value`. The target is evaluated once, and read before the value is evaluated."""
    if isinstance(node.target, ast.Name):
        vary(context, node.target)
    reference = _refer(context, node.target, is_read=True)
    current = reference.read()
    whole = ast.copy_location(ast.BinOp(node.target, node.op, node.value), node)
    result = add_product(context, node.op, current, node.value, whole)
    if result is not None:
        reference.write(result, node)
        return
    value = context.expression(context, node.value)
    result = overloaded_in_place(context, node.op, current, value, whole)
    if result is None:
        result = binary(context, node.op, current, value, node.target, node.value, node)
    reference.write(result, node)


# ---------------------------------------------------------------- targets


class _Reference(Immutable):
    """An evaluated assignment target, to read or write. `write` takes the value and the node that it came from.

    `access` is set if the target is an array element, or a field of one.
    """

    read: Callable[[], Operand]
    write: Callable[[Operand, ast.AST], None]
    access: Access | None = None


def assign(context: Context, target: ast.expr, value: Operand, source: ast.expr) -> None:
    """Assign a value to a target; `source` is the expression that the value came from."""
    if isinstance(target, ast.Name):
        bind_name(context, target, value, source)
    elif isinstance(target, ast.Tuple):
        _assign_tuple(context, target, value, source)
    else:
        _refer(context, target).write(value, source)


def _assign_tuple(context: Context, target: ast.Tuple, value: Operand, source: ast.expr) -> None:
    if any(isinstance(name, ast.Starred) for name in target.elts):
        _refuse_target(context, target)
    items = items_of(value)
    if isinstance(value, EXPR_CLASSES) and isinstance(value.type, ir.VectorType):
        items = tuple(components(context, value, source))
    if items is None or len(items) != len(target.elts):
        context.error(
            KernelTypeError,
            "GP206",
            f"{describe(value)} cannot be unpacked to {len(target.elts)} names",
            source,
            why="unpacking assigns one item of a tuple, or one component of a vector, to each name",
            fix=_to_unpack(context, value, items, source),
        )
    # Every right side is evaluated before the first assignment, as Python does.
    held = [freeze(context, item, source) for item in items]
    sources = source.elts if isinstance(source, ast.Tuple) and len(source.elts) == len(held) else [source] * len(held)
    for name, item, node in zip(target.elts, held, sources, strict=True):
        assign(context, name, item, node)


def _to_unpack(context: Context, value: Operand, items: tuple[Operand, ...] | None, source: ast.expr) -> str:
    """The fix for a value that is unpacked to another number of names than it has items, or has none."""
    if items is not None:
        names = f"{len(items)} name{'s' * (len(items) != 1)}"
        return f"give {names}, or take items by index, as in {context.primary(source)}[0]"
    if isinstance(value, ArrayReference):
        return f"take elements, as in {context.primary(source)}[0], {context.primary(source)}[1]"
    if isinstance(value, StructValue):
        return f"take fields, as in {context.primary(source)}.{fields_of(value.cls)[0].name}"
    return "give as many values as names"


def _refer(context: Context, target: ast.expr, is_read: bool = False) -> _Reference:
    if isinstance(target, ast.Name):
        name = ast.copy_location(ast.Name(target.id, ast.Load()), target)
        return _Reference(
            lambda: context.expression(context, name), lambda value, source: bind_name(context, target, value, source)
        )
    if isinstance(target, ast.Subscript):
        return _refer_element(context, target, is_read)
    if isinstance(target, ast.Attribute):
        _check_is_own(context, target.value, target)
        owner = _refer(context, target.value, is_read=True)
        if owner.access is not None and isinstance(owner.access.dtype, StructDType):
            field = attribute(context, owner.access, target)
            assert isinstance(field, Access)
            return _refer_access(context, field, target)
        return _refer_component(context, owner, target, target.attr)
    _refuse_target(context, target)
    raise AssertionError


def _check_is_own(context: Context, owner: ast.expr, target: ast.expr) -> None:
    """Refuse `x.y = value` if x is not a name of the function."""
    frame, name = context.frame, owner.id if isinstance(owner, ast.Name) else None
    if name is not None and name not in {*frame.uses, *frame.parameters, *frame.variables}:
        context.error(
            KernelTypeError,
            "GP209",
            f"{context.text(target)} cannot be assigned",
            target,
            why=f"{name} comes from outside the function, and is captured by value",
            fix="assign to a variable of the function, or to an array",
        )


def _refuse_target(context: Context, target: ast.expr) -> None:
    context.error(
        KernelSyntaxError,
        "GP102",
        f"a kernel cannot assign to {context.text(target)}",
        target,
        why="only names, array elements and vector components can be assigned",
        fix="assign to one of these",
    )


def _refer_element(context: Context, target: ast.Subscript, is_read: bool) -> _Reference:
    found = refer(context, target.value)
    if isinstance(found, Access) and isinstance(found.dtype.ir_type, ir.VectorType):
        check_writable(context, found.array, target)
        return _refer_position(context, _refer_access(context, _evaluated(context, found, target), target), target)
    array = read(context, found, target.value)
    if isinstance(array, EXPR_CLASSES) and isinstance(array.type, ir.VectorType):
        return _refer_position(context, _refer_vector(context, target.value, array), target)
    if not isinstance(array, ArrayReference):
        context.error(
            KernelTypeError,
            "GP202",
            f"{describe(array)} has no elements to assign",
            target,
            why="only elements of arrays and components of vectors can be assigned by index",
            fix="index an array or a vector",
        )
    access = subscript(context, array, target)
    if isinstance(access, ArrayReference):
        written = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
        refuse_rank(context, array, sum(not isinstance(n, ast.Slice) for n in written), written, target)
    check_writable(context, array, target)
    return _refer_access(context, _evaluated(context, access, target) if is_read else access, target)


def _evaluated(context: Context, access: Access, target: ast.AST) -> Access:
    """The element, with its index computed once."""
    if isinstance(access.index, (ir.Value, ir.Constant)):
        return access
    return replace(access, index=context.builder.let("index", access.index, context.span(target)))


def _refer_vector(context: Context, node: ast.expr, vector: ir.Expr) -> _Reference:
    """A vector that is no element of an array: only that of a name can be assigned."""
    if not isinstance(node, ast.Name):
        _refuse_component(context, node)
    _check_is_own(context, node, node)
    return _Reference(
        lambda: vector, lambda value, source: change(context, node, as_expr(context, value, source, vector.type))
    )


def _refer_access(context: Context, access: Access, target: ast.expr) -> _Reference:
    def write(value: Operand, source: ast.AST) -> None:
        store(context, access, value, source, context.span(target))

    return _Reference(lambda: load(context, access, target), write, access)


def _refuse_component(
    context: Context, target: ast.expr, vector: ir.VectorType | None = None, base: Operand | None = None
) -> NoReturn:
    hint = matrix_hint(base.cls) if isinstance(base, StructValue) else ""
    letters = "xyzw"[: vector.width] if vector else "xyzw"
    of = f"{', '.join(letters[:-1])} or {letters[-1]} of {vector or 'a vector'}"
    context.error(
        KernelTypeError,
        "GP209",
        f"{context.text(target)} cannot be assigned",
        target,
        why=f"only a single component {of} can be; structs are immutable",
        fix=hint or "assign one component, or build a new struct",
    )


def _refer_position(context: Context, base: _Reference, target: ast.Subscript) -> _Reference:
    """`v[i]`. With an index that is known at compile time it is a component by name."""
    vector, index = base.read(), context.expression(context, target.slice)
    assert isinstance(vector, EXPR_CLASSES) and isinstance(vector.type, ir.VectorType)
    type = vector.type
    if not isinstance(index, EXPR_CLASSES):
        return _refer_component(context, base, target, "xyzw"[position(context, target, "vector", type.width, index)])
    place = Position.at(context, type, index, target)

    def whole() -> ir.Expr:
        vector = base.read()
        assert isinstance(vector, EXPR_CLASSES)
        return vector

    def write(value: Operand, source: ast.AST) -> None:
        new = as_expr(context, value, source, type.element)
        base.write(place.changed(context, whole(), new), target)

    return _Reference(lambda: place.read(context, whole()), write)


def _refer_component(context: Context, base: _Reference, target: ast.expr, name: str) -> _Reference:
    """`v.x`: writing it assigns a new vector to v, with one component changed. `a[i].x` stores to the element."""
    span = context.span(target)

    def whole() -> tuple[ir.Expr, ir.VectorType]:
        vector = base.read()
        type = vector.type if isinstance(vector, EXPR_CLASSES) else None
        if isinstance(vector, EXPR_CLASSES) and isinstance(type, ir.VectorType) and name in tuple("xyzw"[: type.width]):
            return vector, type
        if isinstance(vector, ArrayReference) and isinstance(target, ast.Attribute):
            field = attribute(context, vector, target)
            if isinstance(field, ArrayReference):
                refuse_rank(context, field, 0, [], target)
        _refuse_component(context, target, type if isinstance(type, ir.VectorType) else None, vector)

    def read() -> Operand:
        return component(whole()[0], "xyzw".index(name))

    def write(value: Operand, source: ast.AST) -> None:
        vector, type = whole()
        new = as_expr(context, value, source, type.element)
        held = context.builder.let("vector", vector, span)
        parts = tuple(new if letter == name else component(held, i) for i, letter in enumerate("xyzw"[: type.width]))
        base.write(ir.Construct(parts, type), target)

    return _Reference(read, write)
