"""What is known of integer expressions without running them: an interval that holds their value.

It has two uses. Arithmetic that cannot wrap is marked so, and LLVM then sees that neighbouring invocations touch
neighbouring elements. And a guard `i < n` becomes a bound of the loop over invocations, see `guards`.
"""

from __future__ import annotations

from gpucore import ir
from gpucore.ir import BinaryOp, BuiltinKind, MathOp, ScalarType
from gpucore.ir.walk import statements, subexpressions
from gpucore_cpu.limits import LIMITS

Interval = tuple[int, int]  # both ends included


class Ranges:
    """Intervals of the expressions of one kernel."""

    def __init__(self, module: ir.Module) -> None:
        self.pure_definitions: dict[int, ir.Expr] = {}  # of values bound by Let to what reads no local
        self._definitions: dict[int, ir.Expr] = {}
        self._counters: dict[int, ir.ForRange] = {}
        self._known: dict[int, Interval] = {}
        self._module = module
        for statement in statements(module.body):
            if isinstance(statement, ir.Let):
                self._definitions[statement.value.id] = statement.expr
                if not any(isinstance(part, ir.Local) for part in subexpressions(statement.expr)):
                    self.pure_definitions[statement.value.id] = statement.expr
            elif isinstance(statement, ir.ForRange):
                self._counters[statement.counter.id] = statement

    def of(self, expr: ir.Expr) -> Interval:
        """The interval of a scalar integer or bool expression; of its type where nothing is known."""
        match expr:
            case ir.Constant():
                return (int(expr.value), int(expr.value))
            case ir.Value():
                return self._of_value(expr)
            case ir.Builtin():
                return self._of_builtin(expr)
            case ir.Param():
                origin = self._module.origins[expr.index]
                is_count = isinstance(origin, (ir.ShapeOrigin, ir.GridOrigin))
                return (0, expr.type.max_value) if is_count else _whole(expr.type)
            case ir.Binary() if isinstance(expr.type, ScalarType) and expr.type.is_integer:
                return _fit(self.exact(expr), expr.type)
            case ir.Call(op=MathOp.MIN | MathOp.MAX) if _is_integer(expr.type):
                a, b = self.of(expr.args[0]), self.of(expr.args[1])
                pick = min if expr.op is MathOp.MIN else max
                return (pick(a[0], b[0]), pick(a[1], b[1]))
            case ir.Select() if _is_integer(expr.type):
                a, b = self.of(expr.if_true), self.of(expr.if_false)
                return (min(a[0], b[0]), max(a[1], b[1]))
            case ir.Convert() if _is_integer(expr.type) and _is_integer(expr.operand.type):
                return _fit(self.of(expr.operand), expr.type)
            case _:
                return _whole(expr.type)

    def exact(self, expr: ir.Binary) -> Interval | None:
        """The interval of an integer operation before it wraps, or None where that is unknown."""
        a, b = self.of(expr.left), self.of(expr.right)
        match expr.op:
            case BinaryOp.ADD:
                return (a[0] + b[0], a[1] + b[1])
            case BinaryOp.SUB:
                return (a[0] - b[1], a[1] - b[0])
            case BinaryOp.MUL:
                corners = [x * y for x in a for y in b]
                return (min(corners), max(corners))
            case BinaryOp.FLOOR_DIV | BinaryOp.TRUNC_DIV if a[0] >= 0 and b[0] > 0:
                return (a[0] // b[1], a[1] // b[0])
            case BinaryOp.FLOOR_MOD if b[0] > 0:
                return a if a[0] >= 0 and a[1] < b[0] else (0, b[1] - 1)
            case BinaryOp.TRUNC_REM if a[0] >= 0 and b[0] > 0:
                return (0, min(a[1], b[1] - 1))
            case BinaryOp.BIT_AND if a[0] >= 0 or b[0] >= 0:
                return (0, min(high for low, high in (a, b) if low >= 0))
            case BinaryOp.SHR if a[0] >= 0:
                return (0, a[1])
            case _:
                return None

    def cannot_wrap(self, expr: ir.Binary) -> bool:
        """Whether an integer sum, difference or product is sure to fit its type."""
        interval = self.exact(expr)
        return interval is not None and isinstance(expr.type, ScalarType) and _fits(interval, expr.type)

    def is_nonnegative(self, expr: ir.Expr) -> bool:
        return self.of(expr)[0] >= 0

    def _of_value(self, value: ir.Value) -> Interval:
        if value.id not in self._known:
            self._known[value.id] = self._find(value)
        return self._known[value.id]

    def _find(self, value: ir.Value) -> Interval:
        if value.id in self._counters:
            loop = self._counters[value.id]
            low = self.of(loop.start)[0]
            return (low, max(low, self.of(loop.stop)[1] - 1))
        definition = self._definitions.get(value.id)
        if definition is None or not _is_integer(value.type):
            return _whole(value.type)
        return self.of(definition)

    def _of_builtin(self, builtin: ir.Builtin) -> Interval:
        most = LIMITS.max_workgroups[builtin.axis]
        match builtin.kind:
            case BuiltinKind.LOCAL_ID:
                return (0, self._module.workgroup_size[builtin.axis] - 1)
            case BuiltinKind.WORKGROUP_ID:
                return (0, most - 1)
            case BuiltinKind.NUM_WORKGROUPS:
                return (1, most)
            case _:  # subgroups are no larger than workgroups
                return (0, self._module.num_invocations)


def _is_integer(type: ir.Type) -> bool:
    return isinstance(type, ScalarType) and type.is_integer


def _whole(type: ir.Type) -> Interval:
    scalar = ir.scalar_of(type)
    return (scalar.min_value, scalar.max_value)


def _fits(interval: Interval, type: ScalarType) -> bool:
    return type.min_value <= interval[0] and interval[1] <= type.max_value


def _fit(interval: Interval | None, type: ir.Type) -> Interval:
    """The interval if it lies within the type, else all of the type (the value may have wrapped)."""
    if interval is not None and isinstance(type, ScalarType) and _fits(interval, type):
        return interval
    return _whole(type)
