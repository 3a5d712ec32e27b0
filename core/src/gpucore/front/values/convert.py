"""Conversion of operands to typed expressions: typing of literals, unification of operands, explicit conversions."""

from __future__ import annotations

import ast
import enum
from dataclasses import replace
from types import NoneType
from typing import NoReturn, TypeVar

import numpy as np

from gpucore import ir
from gpucore.errors import KernelTypeError
from gpucore.front.state.context import Context
from gpucore.front.state.operands import (
    EXPR_CLASSES,
    ArrayReference,
    Group,
    Operand,
    Static,
    StructValue,
    View,
    default_type,
    describe,
    is_number,
    literal,
    numpy_constant,
    plain_number,
    round_float,
    show_number,
)
from gpucore.front.state.wording import article, conversion, index_letters, member_name, to_convert
from gpucore.front.text.nominal import is_enum, is_related
from gpucore.front.values import brain_floats
from gpucore.front.values.misfits import Beside, explain_infinite, explain_misfit
from gpucore.ir import NominalType
from gpucore.span import Span
from gpucore.structs import fields_of, matrix_hint

_N = TypeVar("_N")


def is_expr(operand: Operand) -> bool:
    """Whether an operand is a typed runtime value."""
    return isinstance(operand, EXPR_CLASSES)


def typed_or_weak(context: Context, operand: Operand, node: ast.AST) -> ir.Expr | bool | int | float:
    """A typed expression, or the Python number of a weak literal. GP202 if the operand is not a number."""
    if isinstance(operand, EXPR_CLASSES):
        return operand
    if isinstance(operand, Static):
        if isinstance(operand.value, np.generic):
            if operand.value.dtype.name == "bfloat16":
                return fit_literal(context, float(operand.value), ir.BF16, node)
            constant = numpy_constant(operand.value)
            if constant is not None:
                return constant
        if is_number(operand.value):
            return plain_number(operand.value)
    context.error(
        KernelTypeError,
        "GP202",
        f"a number is needed here, not {describe(operand)}",
        node,
        why="operators and functions of the kernel language work on scalars and vectors",
        fix=_as_number(operand, context.primary(node) if isinstance(node, ast.expr) else "x"),
    )


def _as_number(operand: Operand, text: str) -> str:
    """The fix for an operand that is not a number."""
    if isinstance(operand, ArrayReference):
        return f"take an element, as in {_element_text(operand, text)}"
    if isinstance(operand, StructValue):
        field, name = fields_of(operand.cls)[0].name, operand.cls.__name__
        return (
            matrix_hint(operand.cls) or f"take a field, as in {text}.{field}, or give {name} a method for the operator"
        )
    if isinstance(operand, Group) or (isinstance(operand, Static) and isinstance(operand.value, tuple)):
        return f"take an item, as in {text}[0], or build a vector, as in gp.f32x2(a, b)"
    if isinstance(operand, Static) and callable(operand.value):
        return f"call it, as in {text}(...)"
    if isinstance(operand, Static) and operand.value is None:
        return "use a number; a function that is called for its value must return one"
    if isinstance(operand, Static) and isinstance(operand.value, enum.Enum):
        return f"write {text}.value, or derive {type(operand.value).__name__} from enum.IntEnum"
    if isinstance(operand, Static) and isinstance(operand.value, str):
        return 'use a number; print takes strings as separate arguments, as in print("i is", i)'
    return "use a number"


def _element_text(array: ArrayReference, text: str) -> str:
    """An element of an array, for messages."""
    return f"{text}[{', '.join(index_letters(text)[: len(array.shape)])}]"


def known_constant(operand: Operand) -> Operand:
    """A NumPy scalar as a typed constant; other operands unchanged."""
    if isinstance(operand, Static) and isinstance(operand.value, np.generic):
        return numpy_constant(operand.value) or operand
    return operand


def freeze(context: Context, operand: Operand, node: ast.AST, name: str = "item") -> Operand:
    """The operand's current value: expressions that read variables are bound to values, in tuples and structs too."""
    if isinstance(operand, EXPR_CLASSES):
        if isinstance(operand, (ir.Value, ir.Constant, ir.Param)):
            return operand
        return bound(context, name, operand, context.span(node))
    if isinstance(operand, Group):
        return Group(tuple(freeze(context, item, node, name) for item in operand.items))
    if isinstance(operand, StructValue):
        return _freeze_struct(context, operand, node)
    if isinstance(operand, ArrayReference) and operand.view is not None:
        return _freeze_view(context, operand, operand.view, node)
    return operand


def bound(context: Context, name: str, expr: ir.Expr, span: Span | None) -> ir.Value:
    """An expression bound to a value. A choice between literals remains one."""
    value, choice = context.builder.let(name, expr, span), context.choice(expr)
    if choice is not None:
        context.add_choice(replace(choice, expr=value))
    return value


def _freeze_view(context: Context, array: ArrayReference, view: View, node: ast.AST) -> ArrayReference:
    """The view with its indices in variables of its own: unlike values, they outlive the block."""
    indices: list[ir.Expr | None] = []
    for index in view.indices:
        if not isinstance(index, (ir.Constant, ir.Param, ir.Builtin, NoneType)):
            variable = context.builder.local("index", index.type)
            context.builder.emit(ir.Assign(variable, index, context.span(node)))
            index = variable
        indices.append(index)
    return replace(array, view=replace(view, indices=tuple(indices)))


def _freeze_struct(context: Context, operand: StructValue, node: ast.AST) -> StructValue:
    """The struct with its fields bound to values, named after the fields."""
    values: list[ir.Expr | StructValue] = []
    for field, value in zip(fields_of(operand.cls), operand.values, strict=True):
        if isinstance(value, StructValue):
            values.append(_freeze_struct(context, value, node))
        else:
            fixed = isinstance(value, (ir.Value, ir.Constant, ir.Param))
            values.append(value if fixed else context.builder.let(field.name, value, context.span(node)))
    return StructValue(operand.cls, tuple(values))


def fit_literal(
    context: Context, value: bool | int | float, type: ir.Type, node: ast.AST, *, beside: Beside | None = None
) -> ir.Expr:
    """A weak number as a value of `type`; a vector is filled with it. GP205 if it does not fit.

    `beside` is the operation whose other operand determined the type; None if a variable, array or parameter did.
    """
    scalar = ir.scalar_of(type)
    constant = brain_floats.literal(context, value) if scalar == ir.BF16 else literal(value, scalar)
    if constant is None:
        message, why, fix = explain_misfit(context, value, type, node, beside)
        context.error(KernelTypeError, "GP205", message, node, why=why, fix=fix)
    return ir.Splat(constant, type) if isinstance(type, ir.VectorType) else constant


def as_expr(context: Context, operand: Operand, node: ast.AST, type: ir.Type | None = None) -> ir.Expr:
    """An operand as a typed expression. A literal takes `type`, or its default; a typed value must fit `type`."""
    value = typed_or_weak(context, operand, node)
    if type is not None:
        check_member(context, operand, type, node)
    if not isinstance(value, EXPR_CLASSES):
        wanted = type or default_type(value)
        return fit_literal(context, value, wanted, node)
    value = value if type is None else fitted(context, value, type)
    if type is not None and value.type != type:
        mismatch(context, f"{type} is needed here, not {value.type}", value.type, type, node)
    return value


def mismatch(context: Context, message: str, have: ir.Type, want: ir.Type, node: ast.AST) -> NoReturn:
    """Raise GP201 with the conversion to write."""
    fix = _to_convert(context, want, node, have)
    context.error(KernelTypeError, "GP201", message, node, why="numbers are never converted silently", fix=fix)


def _to_convert(context: Context, want: ir.Type, node: ast.AST, have: ir.Type) -> str:
    """The fix that converts `node` to `want`."""
    text = context.text(node)
    if isinstance(have, ir.VectorType) and not isinstance(want, ir.VectorType):
        part = f"{context.primary(node)}.x"
        return f"take a component, as in {part if want == have.element else conversion(want, part, have.element)}"
    if isinstance(want, ir.VectorType) and isinstance(have, ir.VectorType) and want.width != have.width:
        if want.width < have.width:
            part = f"{context.primary(node)}.{'xyz'[: want.width]}"
            part = part if want.element == have.element else conversion(want, part, have)
            return f"take the components that fit, as in {part}"
        return f"give it {want.width} components: {have} has {have.width}"
    if isinstance(want, ir.VectorType) and have != want.element and not isinstance(have, ir.VectorType):
        text = conversion(want.element, text, have)  # a vector is filled with a value of its element type
    return to_convert(want, node, text, have)


def unify(
    context: Context,
    left: Operand,
    right: Operand,
    left_node: ast.AST,
    right_node: ast.AST,
    node: ast.AST,
    what: str,
    *,
    is_choice: bool = False,
) -> tuple[ir.Expr, ir.Expr]:
    """Convert two operands to one type: a literal takes the other operand's type, a scalar is splatted to a vector.

    Integers of 8 and 16 bits are widened to 32 bits; where `is_choice`, so that the result is one of the two, only if
    their types differ.
    """
    a, b = typed_or_weak(context, left, left_node), typed_or_weak(context, right, right_node)
    if not is_choice:
        a, b = widened(a), widened(b)
    a_typed, b_typed = isinstance(a, EXPR_CLASSES), isinstance(b, EXPR_CLASSES)
    if is_choice and isinstance(a, EXPR_CLASSES):
        check_member(context, right, a.type, right_node)
    if is_choice and isinstance(b, EXPR_CLASSES):
        check_member(context, left, b.type, left_node)
    a, b = _typed_choice(context, a, b), _typed_choice(context, b, a)
    if not isinstance(a, EXPR_CLASSES):
        type = b.type if isinstance(b, EXPR_CLASSES) else _common_default(a, b)
        a = fit_literal(context, a, type, left_node, beside=Beside(what, right_node, True))
    if not isinstance(b, EXPR_CLASSES):
        b = fit_literal(context, b, a.type, right_node, beside=Beside(what, left_node, False))
    wide = widened(a), widened(b)
    if a.type != b.type and ir.scalar_of(wide[0].type) == ir.scalar_of(wide[1].type):
        a, b = wide
    if a.type == b.type:
        return a, b
    if isinstance(a.type, ir.VectorType) and b.type == a.type.element:
        return a, ir.Splat(b, a.type)
    if isinstance(b.type, ir.VectorType) and a.type == b.type.element:
        return ir.Splat(a, b.type), b
    assert a_typed and b_typed
    to_left = _prefers(a.type, b.type)
    wanted, other = (a.type, right_node) if to_left else (b.type, left_node)
    is_local = isinstance(b if to_left else a, ir.Local)
    start = f"start with {context.text(other)} = {conversion(wanted, '...')}" if is_local else ""
    if isinstance(node, ast.AugAssign):
        fix = _for_target(context, node, left, b.type, what)
        fix = f"{start}, or {fix}" if start and not to_left else fix
    else:
        fix = _components(context, a.type, b.type, left_node, right_node) or (
            f"convert one side, as in {conversion(wanted, context.text(other), b.type if to_left else a.type)}"
            + (f", or {start}" if start else "")
        )
    why = "numbers are never converted silently"
    context.error(KernelTypeError, "GP201", f"{what} mixes {a.type} and {b.type}", node, why=why, fix=fix)


def _for_target(context: Context, node: ast.AugAssign, target: Operand, have: ir.Type, what: str) -> str:
    """The fix for `target += value`: the target keeps its type, so that the value of type `have` is converted."""
    assert isinstance(target, EXPR_CLASSES)
    want, stored = widened(target).type, target.type
    if isinstance(want, ir.VectorType) and not isinstance(have, ir.VectorType):
        want = stored = want.element  # it applies to all components
    if want == stored or isinstance(have, ir.VectorType):
        return _to_convert(context, want, node.value, have)
    text, converted = context.text(node.target), conversion(want, context.text(node.value), have)
    whole = f"{text} {what.strip('`')} {converted}"
    return f"write {text} = {conversion(stored, whole)}"


def _components(context: Context, a: ir.Type, b: ir.Type, left: ast.AST, right: ast.AST) -> str:
    """The fix for vectors of different lengths, or a scalar and a vector of another element type; else ""."""
    if isinstance(a, ir.VectorType) and isinstance(b, ir.VectorType) and a.width != b.width:
        longer, width = (left, b.width) if a.width > b.width else (right, a.width)
        return f"take the same number of components from both, as in {context.primary(longer)}.{'xyz'[:width]}"
    for vector, other, node in ((a, b, right), (b, a, left)):
        if isinstance(vector, ir.VectorType) and isinstance(other, ir.ScalarType):
            return f"convert the number, as in {conversion(vector.element, context.text(node), other)}"
    return ""


def widened(value: _N) -> _N | ir.Expr:
    """An integer of 8 or 16 bits converted to i32 or u32, bf16 to f32; other values unchanged."""
    if isinstance(value, EXPR_CLASSES) and isinstance(value.type, ir.ScalarType) and value.type.is_storage:
        if value.type == ir.BF16:
            return brain_floats.to_f32(value)
        return ir.Convert(value, ir.I32 if value.type.is_signed else ir.U32)
    return value


def _typed_choice(
    context: Context, value: ir.Expr | bool | int | float, other: ir.Expr | bool | int | float
) -> ir.Expr | bool | int | float:
    """A choice between literals in the type of the other operand; any other value unchanged."""
    choice = context.choice(value)
    if choice is None or not isinstance(value, EXPR_CLASSES):
        return value
    if not isinstance(other, EXPR_CLASSES):
        is_mixed = isinstance(other, float) and ir.scalar_of(value.type).is_integer
        return choice.typed(ir.with_scalar(value.type, ir.F32)) if is_mixed else value
    own, wanted = ir.scalar_of(value.type), ir.scalar_of(other.type)
    is_kept = own == wanted or (context.choice(other) is not None and not _prefers(wanted, own))
    return value if is_kept else choice.typed(ir.with_scalar(value.type, wanted))


def fitted(context: Context, value: ir.Expr, type: ir.Type) -> ir.Expr:
    """The value where `type` is wanted. A choice between literals takes it.

    Another value is widened if that gives `type`, else unchanged; one of a NewType never is.
    """
    choice = context.choice(value)
    if choice is not None and value.type != type:
        return choice.typed(type)
    is_own = isinstance(value.type, NominalType) and value.type != ir.BF16
    wide = value if is_own else widened(value)
    return wide if wide.type == type else value


def _common_default(a: object, b: object) -> ir.ScalarType:
    return ir.F32 if isinstance(a, float) or isinstance(b, float) else default_type(a)


def _prefers(a: ir.Type, b: ir.Type) -> bool:
    """Whether the fix should convert to the left type: floats over integers, wider over narrower."""
    x, y = ir.scalar_of(a), ir.scalar_of(b)
    return (x.is_float, x.bits, x.is_signed) >= (y.is_float, y.bits, y.is_signed)


def convert(context: Context, operand: Operand, type: ir.Type, node: ast.AST) -> ir.Expr:
    """An explicit conversion, `gp.f32(x)`. Literals must be in range; float literals truncate to integers."""
    value = typed_or_weak(context, operand, node)
    scalar = ir.scalar_of(type)
    if isinstance(value, EXPR_CLASSES):
        choice = context.choice(value)
        if choice is not None and scalar.is_float and all(isinstance(number, float) for number in choice.literals):
            return choice.typed(type)  # rounded once
        return _convert_typed(context, value, type, node)
    if scalar == ir.BF16:
        rounded = brain_floats.nearest(value)
        overflows = abs(rounded) == float("inf") != abs(value)
        return fit_literal(context, value if overflows else rounded, scalar, node)
    if scalar == ir.BOOL:
        constant = ir.Constant(bool(value), ir.BOOL)
    elif scalar.is_float:
        constant = ir.Constant(round_float(value, scalar), scalar)
        if np.isinf(constant.value) and abs(value) != float("inf"):
            why, fix = explain_infinite(scalar)
            message = f"the literal {show_number(value)} does not fit {scalar}"
            context.error(KernelTypeError, "GP205", message, node, why=why, fix=fix)
    else:
        whole = int(value) if value == value and abs(value) != float("inf") else None
        if whole is None or not scalar.min_value <= whole <= scalar.max_value:
            fit_literal(context, whole if whole is not None else value, scalar, node)
        assert whole is not None
        constant = ir.Constant(whole, scalar)
    return ir.Splat(constant, type) if isinstance(type, ir.VectorType) else constant


def _convert_typed(context: Context, value: ir.Expr, type: ir.Type, node: ast.AST) -> ir.Expr:
    if value.type == type:
        return value
    if value.type == ir.BF16:
        return _convert_typed(context, brain_floats.to_f32(value), type, node)
    if type == ir.BF16 and isinstance(value.type, ir.ScalarType):
        wide = _convert_typed(context, value, ir.F32, node)
        return brain_floats.from_f32(context, wide)
    if isinstance(type, ir.VectorType) and not isinstance(value.type, ir.VectorType):
        value = fitted(context, value, type.element)
        if value.type != type.element:
            mismatch(context, f"{type} is filled from {type.element}, not {value.type}", value.type, type.element, node)
        return ir.Splat(value, type)
    if isinstance(value.type, ir.VectorType) and (
        not isinstance(type, ir.VectorType) or type.width != value.type.width
    ):
        context.error(
            KernelTypeError,
            "GP202",
            f"{value.type} cannot become {type}",
            node,
            why="a conversion keeps the number of components",
            fix="take components, as in v.x",
        )
    return ir.Convert(value, type)


def as_nominal(context: Context, operand: Operand, type: NominalType, node: ast.AST) -> ir.Expr:
    """A conversion to a nominal type, as in `Metres(x)`, from its base type or a literal."""
    value = typed_or_weak(context, operand, node)
    if not isinstance(value, EXPR_CLASSES):
        if is_enum(type):
            _check_number_of_member(context, value, type, node)
        return fit_literal(context, value, type, node)
    if value.type == type:
        return value
    value = fitted(context, value, type.base)
    if value.type != type.base and not is_related(value.type, type):
        mismatch(context, f"{type} is converted from {type.base}, not from {value.type}", value.type, type.base, node)
    return ir.Convert(value, type)


def _check_number_of_member(context: Context, value: bool | int | float, type: NominalType, node: ast.AST) -> None:
    """Refuse a literal that is not the value of any member, as Python does."""
    numbers = {int(member) for member in type.python}
    if value not in numbers:
        context.error(
            KernelTypeError,
            "GP205",
            f"{show_number(value)} is not the value of any member of {type}",
            node,
            why=f"{type} has {', '.join(f'{member.name} = {int(member)}' for member in type.python)}",
            fix=f"use a member, as in {member_name(next(iter(type.python)))}",
        )


def check_member(context: Context, operand: Operand, type: ir.Type, node: ast.AST) -> None:
    """Refuse a compile-time value that is not a member of the enum `type`: a number, or a member of another enum."""
    given = operand.value if isinstance(operand, Static) else None
    if given is None or not isinstance(type, NominalType) or not is_enum(type) or isinstance(given, type.python):
        return
    context.error(
        KernelTypeError,
        "GP201",
        f"{type} is needed here, not {describe(operand)}",
        node,
        why="a value of an enum is one of its members, and numbers are never converted silently",
        fix=f"write a member, as in {member_name(next(iter(type.python)))}"
        + ("" if isinstance(given, enum.Enum) else f", or {type}({context.text(node)})"),
    )


def check_enums(context: Context, left: Operand, right: Operand, node: ast.AST) -> None:
    """Refuse a comparison of an enum member with a value of another nominal type."""
    for value, member in ((left, right), (right, left)):
        if not isinstance(value, EXPR_CLASSES) or not isinstance(value.type, NominalType):
            continue
        given = member.value if isinstance(member, Static) else None
        if isinstance(given, enum.Enum) and type(given) is not value.type.python:
            context.error(
                KernelTypeError,
                "GP201",
                f"{article(str(value.type))} is compared with {member_name(given)}",
                node,
                why="values of different enums are never equal",
                fix=f"compare with a member of {value.type}",
            )


def _as_test(operand: Operand, text: str) -> str:
    """The fix for a condition that is not a bool."""
    if isinstance(operand, StructValue):
        return matrix_hint(operand.cls) or f"test a field, as in {text}.{fields_of(operand.cls)[0].name} != 0"
    if isinstance(operand, Group) or (isinstance(operand, Static) and isinstance(operand.value, tuple)):
        return "test one of its items; an assert needs no parentheses"
    if isinstance(operand, ArrayReference):
        return f"test an element, as in {_element_text(operand, text)} != 0"
    if isinstance(operand, Static) and isinstance(operand.value, str):
        return "write a condition, as in i < x.size"
    if isinstance(operand, Static) and callable(operand.value):
        return f"call it, as in {text}(...)"
    if isinstance(operand, EXPR_CLASSES) and isinstance(operand.type, ir.VectorType):
        return f"test a component, as in {text}.x != 0"
    return f"compare, as in {text} != 0"


def as_truth(context: Context, operand: Operand, node: ast.AST) -> ir.Expr | bool:
    """A condition where an integer is one too, true if it is not 0; a float is not, which may be NaN."""
    if isinstance(operand, Static) and isinstance(operand.value, (int, np.integer)):
        return bool(operand.value)
    if isinstance(operand, EXPR_CLASSES) and type(operand.type) is ir.ScalarType and operand.type.is_integer:
        number = widened(operand)
        return ir.Binary(ir.BinaryOp.NE, number, ir.Constant(0, ir.scalar_of(number.type)), ir.BOOL)
    return as_condition(context, operand, node)


def as_condition(context: Context, operand: Operand, node: ast.AST) -> ir.Expr | bool:
    """A condition: a runtime bool, or a Python bool known at compile time. Numbers are refused."""
    if isinstance(operand, Static):
        if isinstance(operand.value, (bool, np.bool_)) or operand.value is None:
            return bool(operand.value)
    elif isinstance(operand, ir.Constant) and operand.type == ir.BOOL:
        return bool(operand.value)
    elif isinstance(operand, EXPR_CLASSES) and operand.type == ir.BOOL:
        return operand
    fix = _as_test(operand, context.primary(node))
    if isinstance(operand, EXPR_CLASSES) and ir.scalar_of(operand.type) == ir.BOOL:
        text = context.text(node)
        fix = f"write gp.all({text}) or gp.any({text}); gp.select takes a mask, component by component"
    context.error(
        KernelTypeError,
        "GP203",
        f"a condition must be a bool, not {describe(operand)}",
        node,
        why="bools are conditions, and integers in if, while, assert and not",
        fix=fix,
    )
