"""Built-in functions of numbers."""

from __future__ import annotations

import ast
import builtins
import functools
from typing import Any, NoReturn

import numpy as np

from gpucore import ir
from gpucore.errors import KernelSyntaxError, KernelTypeError
from gpucore.front.language.checks import check_count, joined, known_dtype, refuse
from gpucore.front.state.context import Context
from gpucore.front.state.operands import (
    EXPR_CLASSES,
    Group,
    Operand,
    Static,
    StructValue,
    describe,
    is_number,
    plain_number,
)
from gpucore.front.values import brain_floats
from gpucore.front.values.choices import literals_of, pure_choice
from gpucore.front.values.convert import as_condition, as_expr, freeze, typed_or_weak, unify, widened
from gpucore.front.values.masks import by_component, is_mask, reduced
from gpucore.front.values.operators import MAX_FACTORS, binary, shift_count
from gpucore.front.values.struct_constants import expand_constant
from gpucore.ir import NominalType, build
from gpucore.ir.ops import Domain, Second


def _domain(name: str) -> Domain:
    return ir.FUNCTIONS[ir.MathOp(name)].domain


def call_math(name: str, context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """A function of `ir.FUNCTIONS`, or its counterpart in Python."""
    nodes: list[ast.expr] = list(node.args)
    if name in ("min", "max") and len(args) > 2:
        first, first_node = args[0], nodes[0]
        for arg, arg_node in zip(args[1:], nodes[1:], strict=True):
            first = _apply(name, context, [first, arg], [first_node, arg_node], node)
        return first
    if name == "log" and len(args) == 2:
        text, base = (context.text(arg) for arg in nodes)
        log = context.text(node.func)
        fix = f"write {log}({text}) / {log}({base})"
        context.error(KernelTypeError, "GP206", f"{log} takes 1 argument, not 2", node,
                      why="it is the natural logarithm", fix=fix)  # fmt: skip
    if name == "hypot" and len(args) > 2:
        _refuse_long_hypot(context, node)
    check_count(context, args, node, ir.FUNCTIONS[ir.MathOp(name)].arity, name=name)
    return _apply(name, context, args, nodes, node)


def _refuse_long_hypot(context: Context, node: ast.Call) -> NoReturn:
    """Refuse hypot of more than two arguments, which Python has: the fix nests calls."""
    function, (nested, *others) = context.text(node.func), map(context.text, node.args)
    for text in others:
        nested = f"{function}({nested}, {text})"
    message = f"{function} takes 2 arguments, not {len(node.args)}"
    why = "in a kernel it is the length of two components"
    context.error(KernelTypeError, "GP206", message, node, why=why, fix=f"write {nested}")


def _apply(name: str, context: Context, args: list[Operand], nodes: list[ast.expr], node: ast.Call) -> Operand:
    values = [plain_number(arg.value) for arg in args if isinstance(arg, Static) and is_number(arg.value)]
    if len(values) == len(args) and name in ("abs", "min", "max", "clamp"):
        return Static(_python(name, values))
    if name == "pow":
        _check_powers(context, args, nodes, node)
    second = ir.FUNCTIONS[ir.MathOp(name)].second
    if _domain(name) is Domain.INTEGERS:
        _refuse_narrow(name, context, args[:1] if second is Second.COUNT else args, nodes, node)
    if second is not Second.SAME:
        return _with_count(ir.MathOp(name), second, context, args, nodes, node)
    if _domain(name) is Domain.WORDS:
        return build.call(ir.MathOp(name), *_words(context, name, args, nodes, node))
    exprs = same_type(context, name, _domain(name), args, nodes, node)
    type = exprs[0].type
    _check_kind(name, context, type, node)
    if name == "dot" and not isinstance(type, ir.VectorType):
        refuse(
            context,
            f"dot works on two vectors, not on {type}",
            node,
            "it sums the products of components",
            "multiply scalars with *",
        )
    return build.call(ir.MathOp(name), *exprs)


def _with_count(
    op: ir.MathOp, second: Second, context: Context, args: list[Operand], nodes: list[ast.expr], node: ast.Call
) -> Operand:
    """A function of a number and a count or exponent, which may have another type."""
    x = widened(as_expr(context, _as_float(args[0]) if second is Second.EXPONENT else args[0], nodes[0]))
    _check_kind(op.value, context, x.type, node)
    known = plain_number(args[1].value) if isinstance(args[1], Static) and is_number(args[1].value) else None
    if second is Second.COUNT:
        if isinstance(known, int) and known < 0:
            _refuse_negative_count(op, context, known, nodes)
        return build.call(op, x, shift_count(context, x, args[1], nodes[1], node, op.value))
    if isinstance(known, int) and not ir.I32.min_value <= known <= ir.I32.max_value:
        message, why = f"the exponent {known} of {op.value} does not fit i32", "exponents of two are i32"
        fix = f"write {ir.I32.max_value if known > 0 else ir.I32.min_value}, which gives the same result"
        context.error(KernelTypeError, "GP205", message, nodes[1], why=why, fix=fix)
    exponent = as_expr(context, args[1], nodes[1])
    if ir.scalar_of(exponent.type) != ir.I32 or exponent.type not in (ir.I32, ir.with_scalar(x.type, ir.I32)):
        refuse(
            context,
            f"the exponent of {op.value} is an i32, not {exponent.type}",
            nodes[1],
            "it counts powers of two",
            f"convert, as in gp.i32({context.text(nodes[1])})",
        )
    if isinstance(x.type, ir.VectorType) and exponent.type == ir.I32:
        exponent = build.splat(exponent, ir.VectorType(ir.I32, x.type.width))
    return build.call(op, x, exponent)


def _refuse_negative_count(op: ir.MathOp, context: Context, count: int, nodes: list[ast.expr]) -> NoReturn:
    opposite = ir.MathOp.ROTATE_RIGHT if op is ir.MathOp.ROTATE_LEFT else ir.MathOp.ROTATE_LEFT
    refuse(
        context,
        f"the count of {op.value} must be a whole number from 0, not {count}",
        nodes[1],
        "a negative count would rotate in the other direction",
        f"write gp.{opposite.value}({context.text(nodes[0])}, {-count})",
    )


def _refuse_narrow(name: str, context: Context, args: list[Operand], nodes: list[ast.expr], node: ast.Call) -> None:
    """Refuse 8- and 16-bit integers for a function of bits: those of the widened number would be others."""
    texts, narrow = [context.text(arg) for arg in nodes], None
    for place, arg in enumerate(args):
        value = typed_or_weak(context, arg, nodes[place])
        if isinstance(value, EXPR_CLASSES) and ir.scalar_of(value.type).is_storage:
            narrow = ir.scalar_of(value.type)
            texts[place] = f"gp.{ir.I32 if narrow.is_signed else ir.U32}({texts[place]})"
    if narrow is not None:
        refuse(
            context,
            f"{name} works on integers of 32 and 64 bits, not on {narrow}",
            node,
            "its result may depend on the width of the type",
            f"convert, as in {context.text(node.func)}({', '.join(texts)})",
        )


def _check_powers(context: Context, args: list[Operand], nodes: list[ast.expr], node: ast.Call) -> None:
    """Refuse pow of integers, because a literal argument would become a float. `**` computes exact integer powers."""
    typed = [typed_or_weak(context, arg, arg_node) for arg, arg_node in zip(args, nodes, strict=True)]
    type = next((arg.type for arg in typed if isinstance(arg, EXPR_CLASSES)), None)
    if type is None or not ir.scalar_of(type).is_integer:
        return
    exponent = plain_number(args[1].value) if isinstance(args[1], Static) and is_number(args[1].value) else None
    is_exact = isinstance(exponent, int) and not isinstance(exponent, bool) and 0 <= exponent <= MAX_FACTORS
    base = f"gp.{type.base}({context.text(nodes[0])})" if isinstance(type, NominalType) else ""
    converted = f"convert, as in {_converted(context, node, ir.with_scalar(type, ir.F32))}"
    refuse(
        context,
        f"pow works on floats, not on {type}",
        node,
        "it also computes roots and negative powers",
        f"write {base or context.primary(nodes[0])} ** {context.text(nodes[1])}" if is_exact else converted,
    )


def _converted(context: Context, node: ast.Call, to: ir.Type) -> str:
    """The call with all arguments but literals converted to a type."""
    parts = []
    for arg in node.args:
        is_literal = isinstance(arg.operand if isinstance(arg, ast.UnaryOp) else arg, ast.Constant)
        parts.append(context.text(arg) if is_literal else f"gp.{to}({context.text(arg)})")
    return f"{context.text(node.func)}({', '.join(parts)})"


def _check_kind(name: str, context: Context, type: ir.Type, node: ast.Call) -> None:
    check_domain(context, name, Domain.NUMBERS if name == "dot" else _domain(name), type, node)


def check_domain(context: Context, name: str, domain: Domain, type: ir.Type, node: ast.Call) -> None:
    """Refuse a type that a function does not work on."""
    if not domain.has(type):
        to = ir.with_scalar(type, ir.F32 if domain is Domain.FLOATS else ir.I32)
        refuse(
            context,
            f"{name} works on {domain.value}, not on {type}",
            node,
            "the function is not defined for this type",
            f"convert, as in {_converted(context, node, to)}",
        )


def _python(name: str, values: list[Any]) -> Any:
    if name == "clamp":
        return min(max(values[0], values[1]), values[2])
    return getattr(builtins, name)(*values)


def same_type(
    context: Context, name: str, domain: Domain, args: list[Operand], nodes: list[ast.expr], node: ast.Call
) -> list[ir.Expr]:
    """All arguments with one type; literals of a float-only function are floats."""
    if domain is Domain.FLOATS:
        args = [_as_float(arg) for arg in args]
    # Typed arguments come first: they determine the type of literals.
    order = sorted(
        range(len(args)), key=lambda i: not isinstance(typed_or_weak(context, args[i], nodes[i]), EXPR_CLASSES)
    )
    lead, lead_node = args[order[0]], nodes[order[0]]
    for i in order[1:]:
        lead, _ = unify(context, lead, args[i], lead_node, nodes[i], node, name)
    expr = widened(as_expr(context, lead, lead_node))
    return [
        expr if i == order[0] else unify(context, args[i], expr, nodes[i], lead_node, node, name)[0]
        for i in range(len(args))
    ]


def _words(context: Context, name: str, args: list[Operand], nodes: list[ast.expr], node: ast.Call) -> list[ir.Expr]:
    """Arguments that must be u32, as literals are here."""
    exprs: list[ir.Expr] = []
    texts: list[str] = []
    for arg, arg_node in zip(args, nodes, strict=True):
        is_literal = not isinstance(typed_or_weak(context, arg, arg_node), EXPR_CLASSES)
        expr = widened(as_expr(context, arg, arg_node, ir.U32 if is_literal else None))
        text = context.text(arg_node)
        text = f"{context.primary(arg_node)}.x" if isinstance(expr.type, ir.VectorType) else text
        exprs.append(expr)
        texts.append(text if ir.scalar_of(expr.type) == ir.U32 else f"gp.u32({text})")
    wrong = next((expr.type for expr in exprs if expr.type != ir.U32), None)
    if wrong is not None:
        verb = "call it for each component" if isinstance(wrong, ir.VectorType) else "convert"
        fix = f"{verb}, as in {context.text(node.func)}({', '.join(texts)})"
        refuse(context, f"{name} works on u32, not on {wrong}", node, "it takes the four bytes of a u32", fix)
    return exprs


def _as_float(operand: Operand) -> Operand:
    if isinstance(operand, Static) and type(operand.value) is int and abs(operand.value) < 1 << 1000:
        return Static(float(operand.value))
    return operand


def bitcast(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """gp.bitcast(dtype, value)."""
    check_count(context, args, node, 2)
    type, value = known_dtype(context, args[0], node.args[0]), as_expr(context, args[1], node.args[1])
    if ir.BOOL in (ir.scalar_of(type), ir.scalar_of(value.type)) or type.nbytes != value.type.nbytes:
        refuse(
            context,
            f"the bits of {value.type} cannot be reinterpreted as {type}",
            node,
            "both must have the same size, and bool has no bit layout",
            "choose a type of the same size",
        )
    return value if value.type == type else ir.Bitcast(value, type)


def select(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """gp.select(condition, if_true, if_false)."""
    check_count(context, args, node, 3)
    if isinstance(args[0], EXPR_CLASSES) and is_mask(args[0].type):
        return _select_by_mask(context, args[0], args, node)
    condition = as_condition(context, args[0], node.args[0])
    if any(isinstance(expand_constant(context, arg, node), StructValue) for arg in args[1:]):
        text, yes, no = (context.text(arg) for arg in node.args)
        refuse(
            context,
            f"select chooses between scalars or vectors, not {describe(args[1])} and {describe(args[2])}",
            node,
            "it evaluates both sides and chooses component by component",
            f"write {yes} if {text} else {no}",
        )
    literals = literals_of(context, *args[1:])
    if literals is not None and isinstance(condition, bool):
        chosen = args[1] if condition else args[2]
        return _as_float(chosen) if any(isinstance(number, float) for number in literals) else chosen
    if literals is not None and not isinstance(condition, bool):
        pure = functools.partial(build.select, context.builder.let("condition", condition, context.span(node)))
        return pure_choice(context, literals, (args[1], args[2]), (node.args[1], node.args[2]), pure)
    if_true, if_false = unify(context, args[1], args[2], node.args[1], node.args[2], node, "select", is_choice=True)
    if isinstance(condition, bool):
        return if_true if condition else if_false
    return ir.Select(condition, if_true, if_false, if_true.type)


def _select_by_mask(context: Context, mask: ir.Expr, args: list[Operand], node: ast.Call) -> Operand:
    """Component by component; a scalar is taken for every component."""
    if_true, if_false = unify(context, args[1], args[2], node.args[1], node.args[2], node, "select", is_choice=True)
    width = ir.num_components(mask.type)
    if isinstance(if_true.type, ir.ScalarType):
        type = ir.VectorType(if_true.type, width)
        if_true, if_false = build.splat(if_true, type), build.splat(if_false, type)
    if ir.num_components(if_true.type) != width:
        refuse(
            context,
            f"select by a mask of {width} components chooses between vectors of {width}, not {if_true.type}",
            node,
            "it chooses component by component",
            "give vectors of one width, or scalars",
        )
    return by_component(context, build.select, (mask, if_true, if_false), node)


def reduce_mask(context: Context, args: list[Operand], node: ast.Call, *, is_all: bool) -> Operand:
    """gp.any(mask), gp.all(mask)."""
    check_count(context, args, node, 1)
    mask = args[0]
    if not isinstance(mask, EXPR_CLASSES) or not is_mask(mask.type):
        name, text = context.text(node.func), context.text(node.args[0])
        fix = f"compare vectors, as in {name}({text} > 0), or write a loop over an array"
        if isinstance(node.args[0], (ast.Tuple, ast.List)):
            fix = f"write {joined(context, node.args[0], 'and' if is_all else 'or')}"
        refuse(
            context,
            f"{name} works on a mask, not on {describe(mask)}",
            node,
            "a mask is what a comparison of two vectors gives",
            fix,
        )
    return reduced(context, mask, node, is_all=is_all)


def limit(which: str, context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """gp.max_value(dtype), gp.min_value(dtype)."""
    check_count(context, args, node, 1)
    type = known_dtype(context, args[0], node.args[0])
    if not isinstance(type, ir.ScalarType) or type == ir.BOOL:
        refuse(
            context,
            f"{which}_value works on number types, not on {type}",
            node,
            "only numbers have limits",
            "write gp.f32, gp.i32, ...",
        )
    if type.is_integer:
        return ir.Constant(type.max_value if which == "max" else type.min_value, type)
    if type == ir.BF16:
        return brain_floats.greatest(context, 1 if which == "max" else -1)
    largest = float(np.finfo(f"float{type.bits}").max)
    return ir.Constant(largest if which == "max" else -largest, type)


def integer_pair(op: ir.BinaryOp, context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """gp.div_trunc(a, b), gp.rem(a, b)."""
    check_count(context, args, node, 2)
    name = context.text(node.func)
    a, b = unify(context, args[0], args[1], node.args[0], node.args[1], node, name)
    if not ir.scalar_of(a.type).is_integer:
        refuse(
            context, f"{name} works on integers, not on {a.type}", node, "it is integer division", "use / for floats"
        )
    return build.binary(op, a, b)


def floor_divmod(context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """Python's divmod(a, b): (a // b, a % b)."""
    check_count(context, args, node, 2)
    a, b = (freeze(context, arg, arg_node, "part") for arg, arg_node in zip(args, node.args, strict=True))
    operators = (ast.FloorDiv(), ast.Mod())
    return Group(tuple(binary(context, op, a, b, node.args[0], node.args[1], node) for op in operators))


def python_number(convert: type[int] | type[float], context: Context, args: list[Operand], node: ast.Call) -> Operand:
    """Python's int(x) and float(x) of compile-time values: numbers and strings such as "inf"."""
    if len(args) == 1 and isinstance(args[0], Static) and (is_number(args[0].value) or type(args[0].value) is str):
        try:
            return Static(convert(args[0].value))
        except (ArithmeticError, ValueError) as error:
            context.error(
                KernelTypeError,
                "GP205",
                f"{context.text(node)} failed: {error}",
                node,
                why="it is computed when the kernel is compiled, by Python's rules",
                fix="change the literal",
            )
    text = context.text(node.args[0]) if node.args else "x"
    context.error(
        KernelSyntaxError,
        "GP106",
        "int and float convert compile-time values only",
        node,
        why="a number in a kernel has a type of fixed width",
        fix=f"write gp.{'i32' if convert is int else 'f32'}({text})",
    )
