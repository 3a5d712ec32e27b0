"""Lowering of Python statements. The code that an early exit skips is nested in a branch, or guarded by a flag."""

from __future__ import annotations

import ast

from gpucore import ir
from gpucore.errors import KernelSyntaxError
from gpucore.front.language.debugging import lower_assert
from gpucore.front.state.context import Context
from gpucore.front.state.flow import Flow, merge_bindings
from gpucore.front.walk.assignment import lower_annotated, lower_assign, lower_augmented
from gpucore.front.walk.exits import emit_exit, exits_of_this_loop, open_guard
from gpucore.front.walk.loops import lower_for, lower_while
from gpucore.front.walk.matching import expand_match
from gpucore.front.walk.results import lower_return

_REFUSED: dict[type[ast.stmt], tuple[str, str]] = {
    ast.FunctionDef: ("a nested function", "define the helper outside the kernel"),
    ast.AsyncFunctionDef: ("a nested function", "define the helper outside the kernel"),
    ast.ClassDef: ("a class", "define it outside the kernel"),
    ast.Try: ("try", "test for the condition with if"),
    ast.TryStar: ("try", "test for the condition with if"),
    ast.With: ("with", "write the statements without with"),
    ast.Raise: ("raise", "store an error code in an array"),
    ast.Delete: ("del", "leave it out"),
    ast.Import: ("import", "import at the top of the file"),
    ast.ImportFrom: ("import", "import at the top of the file"),
    ast.Global: ("global", "pass an array and write to it"),
    ast.Nonlocal: ("nonlocal", "pass an array and write to it"),
}


def lower_statements(context: Context, body: list[ast.stmt]) -> None:
    """Lower a list of statements into the open block."""
    if body:
        context.check_depth(body[0])
    for position, statement in enumerate(body):
        if not context.flow.is_reachable:
            return  # the rest is unreachable
        rest = body[position + 1 :]
        if isinstance(statement, ast.Match):
            lower_statements(context, [*expand_match(context, statement), *rest])
            return
        if isinstance(statement, ast.If):
            if _lower_if(context, statement, rest):
                return
        else:
            _lower_statement(context, statement)
        if not rest or not context.flow.is_reachable:
            continue
        guard = open_guard(context)
        if guard is not None:
            with guard:
                lower_statements(context, rest)
            return


def _lower_statement(context: Context, node: ast.stmt) -> None:
    match node:
        case ast.Assign():
            lower_assign(context, node)
        case ast.AugAssign():
            lower_augmented(context, node)
        case ast.AnnAssign():
            lower_annotated(context, node)
        case ast.Expr():
            _lower_expression_statement(context, node)
        case ast.For():
            lower_for(context, node)
        case ast.While():
            lower_while(context, node)
        case ast.Return():
            lower_return(context, node)
        case ast.Break() | ast.Continue():
            _lower_break_or_continue(context, node)
        case ast.Assert():
            lower_assert(context, node)
        case ast.Pass():
            pass
        case _:
            what, fix = _REFUSED.get(type(node), (type(node).__name__.lower(), "see the language reference"))
            context.error(
                KernelSyntaxError,
                "GP102",
                f"a kernel cannot contain {what}",
                node,
                why="the kernel language is a subset of Python that every device can run",
                fix=fix,
            )


def _lower_expression_statement(context: Context, node: ast.Expr) -> None:
    if isinstance(node.value, ast.Constant) and (node.value.value is ... or isinstance(node.value.value, str)):
        return  # a docstring, or a placeholder
    if not isinstance(node.value, ast.Call):
        context.error(
            KernelSyntaxError,
            "GP102",
            "this expression has no effect",
            node,
            why="its value is not used",
            fix="assign it, or remove it",
        )
    context.expression(context, node.value)


# ---------------------------------------------------------------- if


def _lower_if(context: Context, node: ast.If, rest: list[ast.stmt]) -> bool:
    """Lower an if. Returns True if `rest`, the statements after it, was lowered into one of its branches."""
    condition = context.condition(context, node.test)
    if isinstance(condition, bool):
        lower_statements(context, node.body if condition else node.orelse)
        return False
    before, span = context.flow, context.span(node)
    with context.builder.open() as then:
        context.flow = before.fork()
        lower_statements(context, node.body)
        yes = context.flow
    with context.builder.open() as orelse:
        context.flow = before.fork()
        lower_statements(context, node.orelse)
        no = context.flow
    nested = False
    closed_flow = no if yes.is_reachable else yes
    if yes.is_reachable != no.is_reachable and exits_of_this_loop(context, closed_flow.pending):
        # One branch exits early: the statements after the if are nested in the other.
        open_block, open_flow = (then, yes) if yes.is_reachable else (orelse, no)
        if not open_flow.pending:
            nested = True
            context.flow = open_flow
            with context.builder.open(open_block):
                lower_statements(context, rest)
            context.flow.pending |= closed_flow.pending
    if not nested:
        context.flow = _merge(context, yes, no, node)
    context.builder.emit(ir.If(condition, tuple(then), tuple(orelse), span))
    return nested


def _merge(context: Context, yes: Flow, no: Flow, node: ast.If) -> Flow:
    """The flow after an if. A branch that took an exit does not affect the bindings, because code below is guarded."""
    flow = Flow(yes.is_reachable or no.is_reachable, yes.pending | no.pending)
    if yes.is_reachable and no.is_reachable:
        flow.bindings = merge_bindings((yes.bindings, no.bindings))
    else:
        flow.bindings = yes.bindings if yes.is_reachable else no.bindings
    flow.unassigned = {**yes.unassigned, **no.unassigned}
    where = f"it is not assigned where the condition at line {context.span(node.test).line} is"
    for name in yes.bindings.keys() - no.bindings.keys():
        flow.unassigned[name] = f"{where} false"
    for name in no.bindings.keys() - yes.bindings.keys():
        flow.unassigned[name] = f"{where} true"
    return flow


# ---------------------------------------------------------------- break and continue


def _lower_break_or_continue(context: Context, node: ast.Break | ast.Continue) -> None:
    loop = context.frame.loops[-1]
    is_break = isinstance(node, ast.Break)
    if not loop.is_real:
        exit_ = loop.break_exit if is_break else loop.continue_exit
        assert exit_ is not None  # created because the body contains this statement
        emit_exit(context, exit_, node)
        return
    span = context.span(node)
    if is_break:
        loop.at_break.append(dict(context.flow.bindings))
    context.builder.emit(ir.Break(span) if is_break else ir.Continue(span))
    context.flow.is_reachable = False
