"""`match`: lowered as a chain of if and elif. On an enum it must be exhaustive."""

from __future__ import annotations

import ast
import enum
from typing import Any

from gpucore import ir
from gpucore.errors import KernelSyntaxError, KernelTypeError
from gpucore.front.state.context import Context
from gpucore.front.state.operands import (
    EXPR_CLASSES,
    ArrayReference,
    Operand,
    Static,
    StructValue,
    compile_time_value,
    describe,
)
from gpucore.front.state.wording import article, member_name
from gpucore.front.values.convert import freeze
from gpucore.ir import NominalType

_SUBJECT = "match subject"  # not a valid Python name, so it cannot clash with the user's names


def expand_match(context: Context, node: ast.Match) -> list[ast.stmt]:
    """Expand a match to if statements. The subject is evaluated once, now."""
    subject = freeze(context, context.expression(context, node.subject), node.subject, "subject")
    name = f"{_SUBJECT} {id(node)}"
    context.flow.bindings[name] = subject
    _check_subject(context, subject, node.subject)
    members = _members(subject)
    is_bool = isinstance(subject, EXPR_CLASSES) and subject.type == ir.BOOL
    everything = members if members is not None else [False, True] if is_bool else None
    seen: set[Any] = set()
    tests: list[tuple[ast.expr | None, list[ast.stmt], ast.AST]] = []
    for case in node.cases:
        values = _values(context, case.pattern)
        test = None if values is None else _any_of(name, values, case.pattern)
        if case.guard is not None:
            test = case.guard if test is None else _both(test, case.guard)
        elif values is None:
            tests.append((None, case.body, case))
            break  # Python itself refuses cases after this one
        else:
            seen |= {_constant(context, value, members) for value in values}
            if everything is not None and seen.issuperset(everything):
                tests.append((None, case.body, case))  # the last possible values: no test needed
                break
        tests.append((test, case.body, case))
    if members is not None and tests[-1][0] is not None:
        missing = [member for member in members if member not in seen]
        if missing:
            _refuse_missing(context, node, missing)
    orelse: list[ast.stmt] = []
    for test, body, place in reversed(tests):
        if test is None:
            orelse = body
        else:
            orelse = [ast.copy_location(ast.If(test, body, orelse), getattr(place, "pattern", place))]
    return orelse


def _check_subject(context: Context, subject: Operand, node: ast.expr) -> None:
    """Refuse arrays and structs."""
    if isinstance(subject, (ArrayReference, StructValue)):
        context.error(
            KernelTypeError,
            "GP202",
            f"match compares a number, an enum or a compile-time value, not {describe(subject)}",
            node,
            why="a case in a kernel is one value",
            fix="match a field or an element of it",
        )


def _members(subject: Operand) -> list[Any] | None:
    """The members of the subject's enum; None if it is not an enum."""
    known = compile_time_value(subject)
    if known is not None and isinstance(known.value, enum.Enum):
        return list(type(known.value))
    if isinstance(subject, EXPR_CLASSES) and isinstance(subject.type, NominalType):
        python = subject.type.python
        return list(python) if isinstance(python, type) and issubclass(python, enum.Enum) else None
    return None


def _values(context: Context, pattern: ast.pattern) -> list[ast.expr] | None:
    """The values that a pattern matches; None for `_`, which matches any."""
    match pattern:
        case ast.MatchValue():
            return [pattern.value]
        case ast.MatchSingleton():
            return [ast.copy_location(ast.Constant(pattern.value), pattern)]
        case ast.MatchOr():
            found = [_values(context, part) for part in pattern.patterns]
            return None if None in found else [value for part in found if part is not None for value in part]
        case ast.MatchAs() if pattern.pattern is None and pattern.name is None:
            return None
    context.error(
        KernelSyntaxError,
        "GP102",
        "a case in a kernel is a value, several values with |, or _",
        pattern,
        why="a match in a kernel does not unpack its subject or bind names",
        fix="compare with values, and use the matched name in the body",
    )


def _constant(context: Context, value: ast.expr, members: list[Any] | None) -> Any:
    """The value of a pattern. If it is an enum member, it must be of the subject's enum."""
    operand = context.expression(context, value)
    if not isinstance(operand, Static):
        context.error(
            KernelTypeError,
            "GP210",
            f"a case is a compile-time value, not {describe(operand)}",
            value,
            why="the cases are checked for completeness when the kernel is compiled",
            fix="use a literal, a member of an enum or a constant of a module or class",
        )
    given = operand.value
    if members and isinstance(given, enum.Enum) and type(given) is not type(members[0]):
        own = type(members[0]).__name__
        context.error(
            KernelTypeError,
            "GP201",
            f"{article(own)} is compared with {member_name(given)}",
            value,
            why="values of different enums are never equal",
            fix=f"compare with a member of {own}",
        )
    return given


def _any_of(name: str, values: list[ast.expr], place: ast.AST) -> ast.expr:
    """The test whether the subject is one of the values."""
    tests: list[ast.expr] = []
    for value in values:
        subject = ast.copy_location(ast.Name(name, ast.Load()), place)
        tests.append(ast.copy_location(ast.Compare(subject, [ast.Eq()], [value]), place))
    return tests[0] if len(tests) == 1 else ast.copy_location(ast.BoolOp(ast.Or(), tests), place)


def _both(first: ast.expr, second: ast.expr) -> ast.expr:
    return ast.copy_location(ast.BoolOp(ast.And(), [first, second]), second)


def _refuse_missing(context: Context, node: ast.Match, missing: list[Any]) -> None:
    names = [member_name(member) for member in missing]
    context.error(
        KernelTypeError,
        "GP212",
        f"this match leaves out {', '.join(names)}",
        node.subject,
        why="a match on an enum must name every member, so that a new member cannot be forgotten",
        fix=f"add case {names[0]}, or case _ for all others",
    )
