"""Lowering of Python statements. Early exits become structure: what they skip is nested, or guarded by a flag."""

from __future__ import annotations

import ast

from gpucore import ir
from gpucore.errors import KernelSyntaxError, KernelTypeError
from gpucore.front.assignment import lower_assign, lower_augmented, lower_annotated
from gpucore.front.context import Context, Flow
from gpucore.front.convert import as_condition, as_expr, is_expr
from gpucore.front.exits import structured, take_exit, take_guard
from gpucore.front.loops import lower_for, lower_while
from gpucore.front.operands import Group, Operand, Static, describe

_REFUSED = {
    ast.FunctionDef: ("a nested function", "define the helper outside the kernel"),
    ast.ClassDef: ("a class", "define it outside the kernel"),
    ast.Try: ("try", "test for the condition with if"),
    ast.With: ("with", "write the statements plainly"),
    ast.Raise: ("raise", "store an error code in an array"),
    ast.Assert: ("assert", "write an if, or check the result outside the kernel"),
    ast.Delete: ("del", "leave it out"),
    ast.Import: ("import", "import at the top of the file"),
    ast.ImportFrom: ("import", "import at the top of the file"),
    ast.Global: ("global", "pass an array and write to it"),
    ast.Nonlocal: ("nonlocal", "pass an array and write to it"),
    ast.Match: ("match", "write if and elif"),
}


def lower_statements(context: Context, body: list[ast.stmt]) -> None:
    """Lower a list of statements into the open block."""
    for position, statement in enumerate(body):
        if not context.flow.falls:
            return  # nothing below can be reached
        rest = body[position + 1 :]
        if isinstance(statement, ast.If):
            if _lower_if(context, statement, rest):
                return
        else:
            _lower_statement(context, statement)
        guard = take_guard(context)
        if guard is not None and context.flow.falls and rest:
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
            _lower_return(context, node)
        case ast.Break():
            _lower_break(context, node)
        case ast.Continue():
            _lower_continue(context, node)
        case ast.Pass():
            pass
        case _:
            what, fix = _REFUSED.get(type(node), (type(node).__name__.lower(), "see the language reference"))
            context.error(KernelSyntaxError, "GP102", f"a kernel cannot contain {what}", node,
                          why="the kernel language is a subset of Python that every device can run", fix=fix)  # fmt: skip


def _lower_expression_statement(context: Context, node: ast.Expr) -> None:
    if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        return  # a docstring
    if not isinstance(node.value, ast.Call):
        context.error(KernelSyntaxError, "GP102", "this expression has no effect", node,
                      why="its value is not used", fix="assign it, or leave it out")  # fmt: skip
    context.expression(context, node.value)


# ---------------------------------------------------------------- if


def _lower_if(context: Context, node: ast.If, rest: list[ast.stmt]) -> bool:
    """Lower an if; True where `rest`, the statements after it, was lowered into its open branch."""
    condition = as_condition(context, context.expression(context, node.test), node.test)
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
    closed_flow = no if yes.falls else yes
    if yes.falls != no.falls and structured(context, closed_flow.pending):
        # One branch leaves early, the other goes on: what follows belongs into the other.
        open_block, open_flow = (then, yes) if yes.falls else (orelse, no)
        if not open_flow.pending:
            nested = True
            context.flow = open_flow
            with context.builder.open(open_block):
                lower_statements(context, rest)
            context.flow.pending |= closed_flow.pending
    if not nested:
        context.flow = _join(yes, no, node)
    context.builder.emit(ir.If(condition, tuple(then), tuple(orelse), span))
    return nested


def _join(yes: Flow, no: Flow, node: ast.If) -> Flow:
    """The flow after an if. A branch that left by an exit says nothing about names: code below it is guarded."""
    flow = Flow(yes.falls or no.falls, yes.pending | no.pending)
    if yes.falls and no.falls:
        flow.assigned = yes.assigned & no.assigned
    else:
        flow.assigned = set(yes.assigned if yes.falls else no.assigned)
    flow.unassigned = {**yes.unassigned, **no.unassigned}
    for name in yes.assigned - no.assigned:
        flow.unassigned[name] = f"it is not assigned where the condition at line {node.lineno} of the function is false"
    for name in no.assigned - yes.assigned:
        flow.unassigned[name] = f"it is not assigned where the condition at line {node.lineno} of the function is true"
    return flow


# ---------------------------------------------------------------- exits


def _lower_break(context: Context, node: ast.Break) -> None:
    loop = context.frame.loops[-1]
    if loop.break_exit is not None:
        take_exit(context, loop.break_exit, node)
        return
    loop.has_break = True
    loop.at_break.append(set(context.flow.assigned))
    context.builder.emit(ir.Break(context.span(node)))
    context.flow.falls = False


def _lower_continue(context: Context, node: ast.Continue) -> None:
    loop = context.frame.loops[-1]
    if loop.continue_exit is not None:
        take_exit(context, loop.continue_exit, node)
        return
    context.builder.emit(ir.Continue(context.span(node)))
    context.flow.falls = False


def _lower_return(context: Context, node: ast.Return) -> None:
    frame = context.frame
    if frame.is_kernel:
        if node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
            context.error(KernelSyntaxError, "GP102", "a kernel returns nothing", node,
                          why="its results are what it stores in arrays", fix="add a gp.Out parameter and store to it")  # fmt: skip
        take_exit(context, frame.return_exit, node)
        return
    operand = Static(None) if node.value is None else context.expression(context, node.value)
    if frame.result is None and context.builder.block is frame.base_block and not context.flow.pending:
        frame.result = _returned(context, operand, node)
        context.flow.falls = False
        return
    _assign_result(context, operand, node)
    take_exit(context, frame.return_exit, node)


def _returned(context: Context, operand: Operand, node: ast.Return) -> Operand:
    returns = context.frame.returns
    if returns is not None and not isinstance(operand, Group):
        return as_expr(context, operand, node, returns)
    return operand


def _assign_result(context: Context, operand: Operand, node: ast.Return) -> None:
    """One of several returns: the result lives in variables that each return assigns."""
    frame, span = context.frame, context.span(node)
    if operand == Static(None):
        frame.result = frame.result or Static(None)
        return
    items = operand.items if isinstance(operand, Group) else (operand,)
    if frame.result_locals is None:
        exprs = [as_expr(context, item, node, frame.returns) for item in items]
        frame.result_locals = tuple(context.builder.local(f"{frame.source.name}_result", expr.type) for expr in exprs)
        frame.result = Group(frame.result_locals) if isinstance(operand, Group) else frame.result_locals[0]
    if len(items) != len(frame.result_locals) or not all(is_expr(i) or isinstance(i, Static) for i in items):
        context.error(KernelTypeError, "GP206", f"{frame.source.name} returns {describe(operand)} here and something else elsewhere",
                      node, why="all its returns must give the same number and types of values",
                      fix="return the same kind of value on every path")  # fmt: skip
    for local, item in zip(frame.result_locals, items, strict=True):
        context.builder.emit(ir.Assign(local, as_expr(context, item, node, local.type), span))
