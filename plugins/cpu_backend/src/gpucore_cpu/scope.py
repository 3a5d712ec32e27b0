"""The meaning of names at a point of the generated function, and expressions as text there."""

from __future__ import annotations

from dataclasses import dataclass, field

from gpucore import ir
from gpucore.ir import BinaryOp, BuiltinKind, VectorType, scalar_of
from gpucore_cpu.arithmetic import Arithmetic
from gpucore_cpu.assembly import FunctionText
from gpucore_cpu.layout import constant_operand, literal, llvm_type, memory_nbytes, memory_type
from gpucore_cpu.mathematics import Mathematics
from gpucore_cpu.names import read_by
from gpucore_cpu.ranges import KernelRanges

_RING = {BinaryOp.ADD: "add", BinaryOp.SUB: "sub", BinaryOp.MUL: "mul"}
_DIVISIONS = (BinaryOp.FLOOR_DIV, BinaryOp.FLOOR_MOD, BinaryOp.TRUNC_DIV, BinaryOp.TRUNC_REM)


@dataclass(frozen=True, slots=True)
class SpillSlot:
    """An element of an array that holds a spilled name for `stride` invocations; `index` is the current invocation."""

    base: str
    index: str
    stride: int


@dataclass
class Scope:
    """One invocation's names: operands of values, addresses of locals, and the builtins.

    `local_ids` are i64 operands (x, y, z). `spilled` has the slots of names used in several regions.
    """

    local_ids: tuple[str, str, str] = ("0", "0", "0")
    values: dict[int, str] = field(default_factory=dict)
    locals: dict[int, str] = field(default_factory=dict)
    spilled: dict[int, SpillSlot] = field(default_factory=dict)
    access: str = ""  # metadata for each access to shared memory


class Expressions:
    """Writes expressions. The caller changes `scope` when it moves to another region."""

    def __init__(self, code: FunctionText, arithmetic: Arithmetic, ranges: KernelRanges, given: dict[str, str]) -> None:
        self.code, self.arithmetic, self.ranges = code, arithmetic, ranges
        self.scope = Scope()
        self.recomputed: dict[int, ir.Expr] = {}  # definitions of values that are computed at their uses
        self._mathematics = Mathematics(arithmetic)
        self._given = given  # "param 0", "workgroup_id 1", "num_workgroups 2": operands of the whole function

    def typed(self, expr: ir.Expr) -> str:
        """Type and operand, the form that most instructions take."""
        return f"{llvm_type(expr.type)} {self.operand(expr)}"

    def operand(self, expr: ir.Expr) -> str:
        """Write the instructions for `expr` and return the operand with the result."""
        match expr:
            case ir.Constant():
                return constant_operand(expr)
            case ir.Value():
                return self._value(expr)
            case ir.Local():
                return self._local(expr)
            case ir.Param():
                return self._given[f"param {expr.index}"]
            case ir.Builtin():
                return self._builtin(expr)
            case ir.Unary():
                return self.arithmetic.negate(expr.op, expr.type, self.operand(expr.operand))
            case ir.Binary():
                return self._binary(expr)
            case ir.Call():
                arguments = [self.operand(argument) for argument in expr.args]
                return self._mathematics.call(expr.op, expr.args[0].type, arguments)
            case ir.Select():
                condition, if_true, if_false = map(self.typed, (expr.condition, expr.if_true, expr.if_false))
                return self.code.define(f"select {condition}, {if_true}, {if_false}")
            case ir.Convert():
                return self.arithmetic.convert(self.operand(expr.operand), expr.operand.type, expr.type)
            case ir.Bitcast():
                return self._bitcast(expr)
            case ir.Construct():
                return self._construct(expr.type, [self.operand(component) for component in expr.components])
            case ir.Splat():
                return self._splat(expr)
            case ir.Extract():
                return self.code.define(f"extractelement {self.typed(expr.vector)}, i32 {expr.index}")

    def index(self, expr: ir.Expr) -> str:
        """An index of elements as i64.

        The sum of a signed a and b >= 0 is computed in 64 bits: if the i32 sum wrapped, it would be negative and thus
        out of range anyway. LLVM then sees that the address is linear in a loop's counter.
        """
        plain = self._find_definition(expr)
        if not isinstance(plain, ir.Binary) or plain.op is not BinaryOp.ADD or not scalar_of(plain.type).is_signed:
            return self._widened(expr)
        if not self.ranges.is_nonnegative(plain.left) and not self.ranges.is_nonnegative(plain.right):
            return self._widened(expr)
        return self.code.define(f"add nsw i64 {self._widened(plain.left)}, {self._widened(plain.right)}", "index")

    # ------------------------------------------------------------ names

    def _value(self, value: ir.Value) -> str:
        if value.id in self.scope.values:
            return self.scope.values[value.id]
        if value.id in self.recomputed:
            return self.operand(self.recomputed[value.id])
        return self.load_spilled(value)

    def _local(self, local: ir.Local) -> str:
        if local.id in self.scope.locals:
            kind = memory_type(local.type)
            loaded = self.code.define(f"load {kind}, ptr {self.scope.locals[local.id]}", local.name)
            return self.from_memory(loaded, local.type)
        return self.load_spilled(local)

    def load_spilled(self, name: ir.Value | ir.Local) -> str:
        """Read a spilled name."""
        address = self.spill_address(name)
        kind = memory_type(name.type)
        loaded = self.code.define(f"load {kind}, ptr {address}{self.scope.access}", name.name)
        return self.from_memory(loaded, name.type)

    def store_spilled(self, name: ir.Value | ir.Local, operand: str) -> None:
        """Write a spilled name."""
        address = self.spill_address(name)
        self.store(operand, name.type, address, self.scope.access)

    def spill_address(self, name: ir.Value | ir.Local) -> str:
        slot = self.scope.spilled[name.id]
        return self.code.define(f"getelementptr inbounds {memory_type(name.type)}, ptr {slot.base}, i64 {slot.index}")

    def store(self, operand: str, type: ir.Type, address: str, access: str = "") -> None:
        """Store a value of `type` in memory internal to this backend."""
        if memory_type(type) != llvm_type(type):
            operand = self.code.define(f"zext {llvm_type(type)} {operand} to {memory_type(type)}")
        self.code.write(f"store {memory_type(type)} {operand}, ptr {address}, align {memory_nbytes(type)}{access}")

    def from_memory(self, operand: str, type: ir.Type) -> str:
        """A value loaded as memory_type(type), converted to its register type."""
        if memory_type(type) == llvm_type(type):
            return operand
        return self.code.define(f"trunc {memory_type(type)} {operand} to {llvm_type(type)}")

    def _builtin(self, builtin: ir.Builtin) -> str:
        if builtin.kind is not BuiltinKind.LOCAL_ID:
            key = f"{builtin.kind.value} {builtin.axis}"
            if key not in self._given:
                raise self.code.missing(f"builtin {builtin.kind.value}")
            return self._given[key]
        wide = self.scope.local_ids[builtin.axis]
        return wide if wide == "0" else self.code.define(f"trunc i64 {wide} to i32", "local_id")

    # ------------------------------------------------------------ operators

    def _binary(self, expr: ir.Binary) -> str:
        left, right = self.operand(expr.left), self.operand(expr.right)
        type = expr.left.type
        if isinstance(type, VectorType) or not type.is_integer:
            return self.arithmetic.binary(expr.op, type, left, right)
        if expr.op in _DIVISIONS and self.ranges.is_nonnegative(expr.left) and self.ranges.interval(expr.right).lo > 0:
            return self.arithmetic.divide_plainly(expr.op, type, left, right)
        no_wrap = expr.op in _RING and not self.ranges.may_overflow(expr)
        return self.arithmetic.binary(expr.op, type, left, right, no_wrap)

    def _bitcast(self, expr: ir.Bitcast) -> str:
        operand = self.operand(expr.operand)
        if llvm_type(expr.operand.type) == llvm_type(expr.type):
            return operand
        return self.arithmetic.cast("bitcast", operand, expr.operand.type, expr.type)

    def _construct(self, type: VectorType, components: list[str]) -> str:
        whole, element = "poison", llvm_type(type.element)
        for index, component in enumerate(components):
            whole = self.code.define(f"insertelement {llvm_type(type)} {whole}, {element} {component}, i32 {index}")
        return whole

    def _splat(self, expr: ir.Splat) -> str:
        if isinstance(expr.operand, ir.Constant):
            return literal(expr.operand.value, expr.type)
        kind, width = llvm_type(expr.type), expr.type.width
        first = self.code.define(f"insertelement {kind} poison, {self.typed(expr.operand)}, i32 0")
        return self.code.define(f"shufflevector {kind} {first}, {kind} poison, <{width} x i32> zeroinitializer")

    # ------------------------------------------------------------ indices

    def _find_definition(self, expr: ir.Expr) -> ir.Expr:
        """The definition of a value, if it can be recomputed here."""
        while isinstance(expr, ir.Value) and expr.id in self.ranges.pure_definitions:
            definition = self.ranges.pure_definitions[expr.id]
            if not isinstance(definition, (ir.Value, ir.Binary, ir.Builtin)) or not self._is_available(definition):
                break
            expr = definition
        return expr

    def _is_available(self, expr: ir.Expr) -> bool:
        """Whether every value that an expression reads is in a register here, or can be recomputed."""
        return all(name.id in self.scope.values or name.id in self.recomputed for name in read_by(expr))

    def _widened(self, expr: ir.Expr, depth: int = 5) -> str:
        """An i32 or u32 expression as i64. Arithmetic that cannot wrap is done in 64 bits, down to `depth` operations:
        LLVM then recognises loop counters, which a 32-bit sum would hide."""
        plain = self._find_definition(expr)
        if isinstance(plain, ir.Constant):
            return str(plain.value)
        if isinstance(plain, ir.Builtin) and plain.kind is BuiltinKind.LOCAL_ID:
            return self.scope.local_ids[plain.axis]
        if depth and isinstance(plain, ir.Binary) and plain.op in _RING and not self.ranges.may_overflow(plain):
            left, right = self._widened(plain.left, depth - 1), self._widened(plain.right, depth - 1)
            return self.code.define(f"{_RING[plain.op]} nsw i64 {left}, {right}", "index")
        kind = llvm_type(expr.type)
        if kind == "i64":
            return self.operand(expr)
        extend = "sext" if scalar_of(expr.type).is_signed else "zext"
        return self.code.define(f"{extend} {kind} {self.operand(expr)} to i64")
