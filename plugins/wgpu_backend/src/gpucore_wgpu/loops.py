"""Upper bounds on loop iterations, for drivers that limit them."""

from __future__ import annotations

from gpucore.plugin import ir


def most_iterations(block: ir.Block) -> int | None:
    """An upper bound on the iterations of all loops of one invocation together, or None if none is known.

    The last evaluation of a loop's condition counts as one. A compare-exchange counts as one, because it is emitted as
    a loop.
    """
    total = 0
    for statement in block:
        iterations = _iterations(statement)
        if iterations is None:
            return None
        total += iterations
    return total


def _greatest(expr: ir.Expr) -> int | None:
    """The greatest value of an integer, if it is a constant or the minimum of one and another; else None."""
    if isinstance(expr, ir.Constant):
        return int(expr.value)
    if isinstance(expr, ir.Call) and expr.op is ir.MathOp.MIN:
        return min((value for each in expr.args if (value := _greatest(each)) is not None), default=None)
    return None


def _iterations(statement: ir.Stmt) -> int | None:
    match statement:
        case ir.If():
            then, orelse = most_iterations(statement.then), most_iterations(statement.orelse)
            # both sides count: a driver may run invocations that take different ones in lockstep
            return None if then is None or orelse is None else then + orelse
        case ir.ForRange():
            inside = most_iterations(statement.body)
            start, stop = statement.start, _greatest(statement.stop)
            if inside is None or not isinstance(start, ir.Constant) or stop is None:
                return None
            trips = max(0, stop - int(start.value))
            return trips * (inside + 1) + 1
        case ir.Loop():
            return None
        case ir.Atomic(op=ir.AtomicOp.COMPARE_EXCHANGE):
            return 1
        case _:
            return 0
