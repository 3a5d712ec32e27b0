"""What names stand for: variables of run time, or what is known when the kernel is compiled."""

from __future__ import annotations

import ast

from gpucore import ir
from gpucore.errors import KernelTypeError
from gpucore.front.context import Context, Retry
from gpucore.front.convert import fit_literal, freeze, known_constant
from gpucore.front.flow import Varies, holds_number
from gpucore.front.operands import EXPR_CLASSES, Operand, Static, default_type, describe, plain_number


def bind_name(context: Context, target: ast.Name, value: Operand, source: ast.AST) -> None:
    """Give a name a value; `source` is the expression that the value came from.

    A name whose reads one assignment serves keeps what it was given: a compile-time value, an array, a value of run
    time. Other names become variables where they hold numbers and vectors; arrays, tuples and the like never do.
    """
    frame, name = context.frame, target.id
    use = frame.uses[name]
    value = known_constant(value)
    is_variable = name in frame.variables or name in frame.insight.variables
    if is_variable or (holds_number(value) and not (use.is_scoped or use.is_single)):
        _assign_variable(context, target, value, source)
    elif not isinstance(value, EXPR_CLASSES):
        _check_fixed(context, target, value)
        context.flow.bindings[name] = freeze(context, value, source, name)
    elif use.is_scoped:
        already = isinstance(value, ir.Value) and value.name == name
        context.flow.bindings[name] = value if already else context.builder.let(name, value, context.span(target))
    else:
        _assign_variable(context, target, value, source)


def _check_fixed(context: Context, target: ast.Name, value: Operand) -> None:
    """A name that held a number does not hold an array later."""
    before = context.flow.bindings.get(target.id)
    if before is not None and not isinstance(before, Varies) and holds_number(before) and not holds_number(value):
        _refuse_change(context, target, value)


def _refuse_change(context: Context, target: ast.Name, value: Operand) -> None:
    context.error(
        KernelTypeError,
        "GP204",
        f"the variable {target.id!r} cannot hold {describe(value)} and change",
        target,
        why="a name that is assigned more than once holds numbers and vectors; others are fixed",
        fix="use another name for each value",
    )


def _assign_variable(context: Context, target: ast.Name, value: Operand, source: ast.AST) -> None:
    frame, name = context.frame, target.id
    before = context.flow.bindings.get(name)
    was_fixed = before is not None and not holds_number(before)
    if was_fixed or not holds_number(value):
        _refuse_change(context, target, value)
    number = value if isinstance(value, EXPR_CLASSES) else plain_number(value.value if isinstance(value, Static) else 0)
    variable = frame.variables.get(name)
    if variable is None:
        type = number.type if isinstance(number, EXPR_CLASSES) else default_type(number)
        variable = frame.variables[name] = context.builder.local(name, type)
    if not isinstance(number, EXPR_CLASSES):
        number = fit_literal(context, number, variable.type, source)
    elif number.type != variable.type:
        context.error(
            KernelTypeError,
            "GP204",
            f"the variable {name!r} is {variable.type} and cannot become {number.type}",
            source,
            why="a variable has one type, that of its first assignment",
            fix=f"convert, as in gp.{variable.type}({context.text(source)}), or start with gp.{number.type}(...)",
        )
    context.builder.emit(ir.Assign(variable, number, context.span(target)))
    context.flow.bindings[name] = variable


def read_name(context: Context, node: ast.Name) -> Operand | None:
    """What a name of the function at hand means here; None for a name from outside."""
    frame, name = context.frame, node.id
    binding = context.flow.bindings.get(name)
    if isinstance(binding, Varies):
        if binding.is_number and name not in frame.insight.variables:
            frame.insight.variables.add(name)
            raise Retry(frame)
        context.error(
            KernelTypeError,
            "GP204",
            f"{name!r} stands for different things here, depending on the path",
            node,
            why="only numbers and vectors can be chosen at run time; arrays, tuples and types are fixed",
            fix="use one name for each, and repeat the code that uses them in each branch",
        )
    if binding is not None:
        return binding
    if name in frame.parameters:
        return frame.parameters[name]
    if name not in frame.uses:
        return None
    context.error(
        KernelTypeError,
        "GP207",
        f"{name!r} may be read before it is assigned",
        node,
        why=context.flow.unassigned.get(name, "no assignment comes before this line"),
        fix=f"assign {name} on every path, for example before the branch or loop",
    )
