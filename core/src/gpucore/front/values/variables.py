"""Binding of names: to runtime variables, or to fixed values."""

from __future__ import annotations

import ast
from typing import NoReturn

from gpucore import ir
from gpucore.errors import KernelTypeError
from gpucore.front.state.context import Context, Restart
from gpucore.front.state.flow import PathDependent, can_vary
from gpucore.front.state.operands import (
    EXPR_CLASSES,
    Operand,
    Static,
    StructValue,
    default_type,
    describe,
    is_number,
    plain_number,
)
from gpucore.front.state.wording import conversion, to_convert
from gpucore.front.values.convert import bound, check_member, fit_literal, fitted, freeze, known_constant
from gpucore.front.values.struct_constants import expand_constant
from gpucore.span import Span
from gpucore.structs import fields_of


def bind_name(context: Context, target: ast.Name, value: Operand, source: ast.AST) -> None:
    """Bind a name to a value; `source` is the expression that the value came from.

    If one assignment reaches all reads of a name, the name is bound to the value itself: a compile-time value, an
    array or a runtime value. Otherwise the name becomes a variable if it holds numbers, vectors or structs; arrays
    and tuples cannot. A literal is bound itself if no other assignment reaches the reads that this one reaches.
    """
    frame, name = context.frame, target.id
    use = frame.uses[name]
    value = known_constant(value)
    is_variable = name in frame.variables or name in frame.facts.variables
    if stays_literal(context, name, value, target):
        context.flow.bindings[name] = value
        return
    if is_variable or not use.is_single:
        value = expand_constant(context, value, source)
    if is_variable or (can_vary(value) and not (use.is_scoped or use.is_single)):
        _assign_variable(context, target, value, source)
    elif not isinstance(value, EXPR_CLASSES):  # includes a struct with a single assignment
        _check_fixed(context, target, value)
        context.flow.bindings[name] = freeze(context, value, source, name)
    elif use.is_scoped:
        already = isinstance(value, ir.Value) and value.name == name
        context.flow.bindings[name] = value if already else bound(context, name, value, context.span(target))
    else:
        _assign_variable(context, target, value, source)


def stays_literal(context: Context, name: str, value: Operand, target: ast.AST) -> bool:
    """Whether the assignment of a value to a name (or parameter) that is assigned again too leaves a literal.

    Not if the name is a variable of a type other than the literal's own: that is its type from its first value on.
    """
    frame = context.frame
    if not isinstance(value, Static) or not is_number(value.value):
        return False
    variable = frame.variables.get(name)
    is_typed = isinstance(variable, ir.Local) and variable.type != default_type(plain_number(value.value))
    return frame.uses[name].is_apart(target) and name not in frame.facts.variables and not is_typed


def vary(context: Context, target: ast.Name) -> None:
    """Make a name that is bound to a literal a variable with that value, because an operator changes it in place."""
    value = context.flow.bindings.get(target.id)
    if isinstance(value, Static) and is_number(value.value):
        _assign_variable(context, target, value, target)


def change(context: Context, target: ast.Name, value: ir.Expr) -> None:
    """Assign a vector with one component changed, as `v[1] = x` does, to a name of the function.

    What an index does is not known before types are: if the name is no variable yet, the function is lowered again.
    """
    frame = context.frame
    if target.id not in frame.variables:
        frame.facts.variables.add(target.id)
        raise Restart(frame)
    _assign_variable(context, target, value, target)


def _check_fixed(context: Context, target: ast.Name, value: Operand) -> None:
    """Refuse to bind a name that held a number to an array or other fixed value."""
    before = context.flow.bindings.get(target.id)
    if before is not None and not isinstance(before, PathDependent) and can_vary(before) and not can_vary(value):
        _refuse_change(context, target, value)


def _refuse_change(context: Context, target: ast.Name, value: Operand) -> None:
    context.error(
        KernelTypeError,
        "GP204",
        f"the variable {target.id!r} cannot hold {describe(value)} and change",
        target,
        why="a name that is assigned more than once holds numbers, vectors and structs; others are fixed",
        fix="use another name for each value",
    )


def _assign_variable(context: Context, target: ast.Name, value: Operand, source: ast.AST) -> None:
    frame, name = context.frame, target.id
    before = context.flow.bindings.get(name)
    was_fixed = before is not None and not can_vary(before)
    if was_fixed or not can_vary(value):
        _refuse_change(context, target, value)
    variable = frame.variables.get(name)
    if variable is None:
        variable = frame.variables[name] = new_variable(context, name, value)
    if isinstance(variable, StructValue) or isinstance(value, StructValue):
        value = freeze(context, value, source, name)  # it may be computed from the variable itself
    assign_variable(context, name, variable, value, source, context.span(target))
    context.flow.bindings[name] = variable


def new_variable(context: Context, name: str, value: Operand) -> ir.Local | StructValue:
    """A variable of the type of its first value; for a struct, one variable for each number in it."""
    if isinstance(value, StructValue):
        parts = zip(fields_of(value.cls), value.values, strict=True)
        return StructValue(value.cls, tuple(new_variable(context, f"{name}_{f.name}", part) for f, part in parts))
    if isinstance(value, EXPR_CLASSES):
        return context.builder.local(name, value.type)
    assert isinstance(value, Static)
    return context.builder.local(name, default_type(plain_number(value.value)))


def assign_variable(
    context: Context, name: str, variable: ir.Local | StructValue, value: Operand, source: ast.AST, span: Span | None
) -> None:
    """Assign a value of the variable's type; a literal takes that type."""
    if isinstance(variable, StructValue):
        if not isinstance(value, StructValue) or value.cls is not variable.cls:
            _refuse_type(context, name, variable.cls.__name__, describe(value), source)
        for part, new in zip(variable.values, value.values, strict=True):
            assert isinstance(part, (ir.Local, StructValue))
            assign_variable(context, name, part, new, source, span)
        return
    if isinstance(value, StructValue):
        _refuse_type(context, name, str(variable.type), describe(value), source)
    if not isinstance(value, EXPR_CLASSES):
        check_member(context, value, variable.type, source)
        number = plain_number(value.value if isinstance(value, Static) else 0)
        value = fit_literal(context, number, variable.type, source)
    else:
        value = fitted(context, value, variable.type)
    if value.type != variable.type:
        context.error(
            KernelTypeError,
            "GP204",
            f"the variable {name!r} is {variable.type} and cannot become {value.type}",
            source,
            why="a variable has one type, that of its first assignment",
            fix=f"{to_convert(variable.type, source, context.text(source), value.type)}, "
            f"or start with {conversion(value.type, '...')}",
        )
    context.builder.emit(ir.Assign(variable, value, span))


def _refuse_type(context: Context, name: str, have: str, given: str, source: ast.AST) -> NoReturn:
    context.error(
        KernelTypeError,
        "GP204",
        f"the variable {name!r} is {have} and cannot become {given}",
        source,
        why="a variable has one type, that of its first assignment",
        fix="use another name for each value",
    )


def read_name(context: Context, node: ast.Name) -> Operand | None:
    """The current binding of a name of the current function; None for a name from outside."""
    frame, name = context.frame, node.id
    binding = context.flow.bindings.get(name)
    if isinstance(binding, PathDependent):
        if binding.is_number and name not in frame.facts.variables:
            frame.facts.variables.add(name)
            raise Restart(frame)
        context.error(
            KernelTypeError,
            "GP204",
            f"{name!r} is bound to different things here, depending on the path",
            node,
            why="only numbers, vectors and structs can be chosen at run time; arrays, tuples and types are fixed",
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
        why=context.flow.unassigned.get(name, "no assignment comes before this line" + _shadowing(context, name)),
        fix=f"assign {name} on every path, for example before the branch or loop",
    )


def _shadowing(context: Context, name: str) -> str:
    """An addition to the reason if a local name shadows a global or closure variable."""
    source = context.frame.source
    is_shadowed = name in source.global_names or name in source.closure()
    return f"; the function assigns {name}, so it is not the {name} outside" if is_shadowed else ""
