"""The meaning of names at a point of the generated function, and expressions as text there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from gpucore.plugin import ir
from gpucore.plugin.ir import (
    DIVISIONS,
    I32,
    REMAINDERS,
    U32,
    BinaryOp,
    BuiltinKind,
    MathOp,
    Type,
    num_components,
    scalar_of,
    type_interval,
    wrap_i32,
)
from gpucore_cpu.arithmetic import Arithmetic
from gpucore_cpu.assembly import FunctionText
from gpucore_cpu.divergence import Divergence, block_size
from gpucore_cpu.indices import Index, Indices, constant
from gpucore_cpu.lanes import Lanes, Operand, uniform, varying
from gpucore_cpu.layout import constant_operand, literal, llvm_type
from gpucore_cpu.mathematics import Mathematics
from gpucore_cpu.names import read_by
from gpucore_cpu.nans import Numbers
from gpucore_cpu.pieces import Pieces
from gpucore_cpu.ranges import KernelRanges
from gpucore_cpu.vector_mathematics import VECTORISED

_ZERO = ir.Constant(0, I32)
_RING = {BinaryOp.ADD, BinaryOp.SUB, BinaryOp.MUL}
_MAX_STEP = 1 << 20  # times the number of lanes is far less than 2**31
_PLACES = REMAINDERS | {BinaryOp.BIT_AND}

Compute = Callable[[Sequence[Type], Sequence[str]], str]


@dataclass(frozen=True, slots=True)
class SpillSlot:
    """The element of an array that holds a spilled name, for the first invocation of a gang.

    The array has an element for each of `stride` invocations.
    """

    base: str
    index: str
    stride: int


@dataclass
class Scope:
    """The names of a gang: operands of values, addresses of locals, and the builtins.

    `local_ids` are i64 operands (x, y, z) of the first lane; `number` is its number in the workgroup, x fastest.
    `spilled` has the slots of names used in several regions.
    """

    local_ids: tuple[str, str, str] = ("0", "0", "0")
    number: str = "0"
    values: dict[int, Operand] = field(default_factory=dict)
    linear: dict[int, Index] = field(default_factory=dict)  # of values that are linear in the lanes
    locals: dict[int, tuple[str, ...]] = field(default_factory=dict)  # one address for each component if varying
    spilled: dict[int, SpillSlot] = field(default_factory=dict)

    def inner(self) -> Scope:
        """A copy, for a region inside: what it binds is not known outside."""
        return replace(self, values=dict(self.values), linear=dict(self.linear), locals=dict(self.locals))


class Expressions:
    """Writes expressions. The caller changes `scope` when it moves to another region."""

    def __init__(
        self, code: FunctionText, arithmetic: Arithmetic, ranges: KernelRanges, given: dict[str, str],
        lanes: Lanes, divergence: Divergence, numbers: Numbers,
    ) -> None:  # fmt: skip
        self.code, self.arithmetic, self.ranges = code, arithmetic, ranges
        self.lanes, self.divergence = lanes, divergence
        self.indices = Indices(code, arithmetic.module, lanes)
        self.scope = Scope()
        self.recomputed: dict[int, ir.Expr] = {}  # definitions of values that are computed at their uses
        self.load_spilled: Callable[[ir.Value | ir.Local], Operand]  # set by the writer of statements
        self._pieces = Pieces(code, self.indices, ranges, divergence, lanes.count, self._linear, self._is_available)
        self._mathematics = Mathematics(arithmetic)
        self._numbers = numbers
        self._given = given  # "param 0", "workgroup_id 1", "num_workgroups 2": operands of the whole function

    def uniform(self, expr: ir.Expr) -> str:
        """The operand of an expression that is the same in all lanes."""
        return self.operand(expr).text

    def operand(self, expr: ir.Expr) -> Operand:
        """Write the instructions for `expr` and return the operand with the result."""
        match expr:
            case ir.Constant():
                return uniform(constant_operand(expr))
            case ir.Value():
                return self._value(expr)
            case ir.Local():
                return self._local(expr)
            case ir.Param():
                return uniform(self._given[f"param {expr.index}"])
            case ir.Builtin():
                return self._builtin(expr)
            case ir.Unary():
                return self._each(lambda types, a: self.arithmetic.negate(expr.op, types[0], a[0]), expr.operand)
            case ir.Binary():
                return self._binary(expr)
            case ir.Call():
                return self._call(expr)
            case ir.Select():
                return self._select(expr)
            case ir.Convert():
                return self._each(lambda types, a: self._convert(a[0], types[0], expr.type), expr.operand)
            case ir.Bitcast():
                return self._bitcast(expr)
            case ir.Construct():
                return self._construct(expr)
            case ir.Splat():
                return self._splat(expr)
            case ir.Extract():
                return self._extract(expr)

    def _each(self, compute: Compute, *exprs: ir.Expr) -> Operand:
        """An operation on expressions with equal numbers of components, lane by lane if one of them is varying."""
        operands = [self.operand(expr) for expr in exprs]
        types = [expr.type for expr in exprs]
        if not any(operand.is_varying for operand in operands):
            return uniform(compute(types, [operand.text for operand in operands]))
        lane_types = [self.lanes.type(type) for type in types]
        spread = [self.lanes.spread(operand, type).parts for operand, type in zip(operands, types, strict=True)]
        return varying(*(compute(lane_types, parts) for parts in zip(*spread, strict=True)))

    # ------------------------------------------------------------ names

    def _value(self, value: ir.Value) -> Operand:
        if value.id in self.scope.values:
            return self.scope.values[value.id]
        if value.id in self.recomputed:
            return self.operand(self.recomputed[value.id])
        return self.load_spilled(value)

    def _local(self, local: ir.Local) -> Operand:
        if local.id not in self.scope.locals:
            return self.load_spilled(local)
        kind = self.local_kind(local)
        loaded = (self.code.define(f"load {kind}, ptr {at}", local.name) for at in self.scope.locals[local.id])
        return Operand(tuple(loaded), self.is_varying(local))

    def is_varying(self, name: ir.Value | ir.Local) -> bool:
        """Whether a name has a value in each lane."""
        return name.id in self.divergence.names

    def local_kind(self, local: ir.Local) -> str:
        """The LLVM type of the variable, or of the variables for its components, that hold a local."""
        return llvm_type(self.lanes.type(local.type) if self.is_varying(local) else local.type)

    def _builtin(self, builtin: ir.Builtin) -> Operand:
        if builtin.kind is BuiltinKind.SUBGROUP_INVOCATION_ID:
            return varying(self.lanes.numbers(I32))
        if builtin.kind is BuiltinKind.SUBGROUP_ID:
            subgroup = self.code.define(f"udiv i64 {self.scope.number}, {self.lanes.count}")
            return uniform(self.code.define(f"trunc i64 {subgroup} to i32", "subgroup_id"))
        if builtin.kind is not BuiltinKind.LOCAL_ID:
            key = f"{builtin.kind.value} {builtin.axis}"
            if key not in self._given:
                raise self.code.missing(f"builtin {builtin.kind.value}")
            return uniform(self._given[key])
        wide = self.scope.local_ids[builtin.axis]
        first = wide if wide == "0" else self.code.define(f"trunc i64 {wide} to i32", "local_id")
        if builtin.axis or self.lanes.count == 1:
            return uniform(first)
        return varying(self.lanes.progression(I32, first))

    # ------------------------------------------------------------ operators

    def _binary(self, expr: ir.Binary) -> Operand:
        is_scalar_integer = isinstance(expr.left.type, ir.ScalarType) and expr.left.type.is_integer
        is_plain = (
            is_scalar_integer and expr.op in DIVISIONS
            and self.ranges.is_nonnegative(expr.left) and self.ranges.interval(expr.right).lo > 0
        )  # fmt: skip
        no_wrap = is_scalar_integer and expr.op in _RING and not self.ranges.may_overflow(expr)

        is_masked = expr.op in DIVISIONS and self.divergence.is_varying(expr.right)

        def compute(types: Sequence[Type], parts: Sequence[str]) -> str:
            left, right = parts
            if is_masked:
                right = self.lanes.where_on(types[0], right)
            if is_plain:
                return self.arithmetic.divide_plainly(expr.op, types[0], left, right)
            return self.arithmetic.binary(expr.op, types[0], left, right, no_wrap)

        if self.divergence.is_block_number(expr):
            first = self.lanes.first(self.operand(expr.left), expr.left.type)
            return uniform(compute([expr.left.type, expr.right.type], [first, self.uniform(expr.right)]))
        return self._each(compute, expr.left, expr.right)

    def _call(self, expr: ir.Call) -> Operand:
        if expr.op is MathOp.DOT and any(map(self.divergence.is_varying, expr.args)):
            return self._dot(*expr.args)
        split = self._numbers.split(expr)
        if split is not None:
            return self._each(lambda types, parts: self._mathematics.extreme(expr.op, types[0], *parts), *split)
        masked = [expr.op in VECTORISED and self.divergence.is_varying(argument) for argument in expr.args]

        def compute(types: Sequence[Type], parts: Sequence[str]) -> str:
            operands = [
                self.lanes.where_on(type, part) if is_masked else part
                for type, part, is_masked in zip(types, parts, masked, strict=True)
            ]
            return self._mathematics.call(expr.op, types[0], operands)

        return self._each(compute, *expr.args)

    def _dot(self, left: ir.Expr, right: ir.Expr) -> Operand:
        product = self.operand(ir.Binary(BinaryOp.MUL, left, right, left.type))
        type = self.lanes.type(left.type)
        first, *rest = product.parts
        for part in rest:
            first = self.arithmetic.binary(BinaryOp.ADD, type, first, part)
        return varying(first)

    def _select(self, expr: ir.Select) -> Operand:
        condition = self.operand(expr.condition)
        choices = [self.operand(expr.if_true), self.operand(expr.if_false)]
        if not condition.is_varying and not any(choice.is_varying for choice in choices):
            return uniform(self._selected("i1", condition.text, llvm_type(expr.type), *(c.text for c in choices)))
        flag = self.lanes.mask_kind if condition.is_varying else "i1"
        kind = llvm_type(self.lanes.type(expr.type))
        parts = zip(*(self.lanes.spread(choice, expr.type).parts for choice in choices), strict=True)
        return varying(*(self._selected(flag, condition.text, kind, *pair) for pair in parts))

    def _selected(self, flag: str, condition: str, kind: str, if_true: str, if_false: str) -> str:
        return self.code.define(f"select {flag} {condition}, {kind} {if_true}, {kind} {if_false}")

    def _convert(self, text: str, source: Type, target: Type) -> str:
        return self.arithmetic.convert(text, source, ir.with_scalar(source, scalar_of(target)))

    def _bitcast(self, expr: ir.Bitcast) -> Operand:
        """The numbers of components may differ: an f16x2 and a u32 have the same bits."""
        operand, source, target = self.operand(expr.operand), expr.operand.type, expr.type
        old, new = llvm_type(source), llvm_type(target)
        if old == new:
            return operand
        if not operand.is_varying:
            return uniform(self.arithmetic.cast("bitcast", operand.text, source, target))
        width, count = len(operand.parts) * self.lanes.count, num_components(target)
        whole = self.lanes.interleaved(llvm_type(scalar_of(source)), operand.parts)
        kinds = llvm_type(scalar_of(source)), llvm_type(scalar_of(target))
        old, new = f"<{width} x {kinds[0]}>", f"<{count * self.lanes.count} x {kinds[1]}>"
        if old != new:
            whole = self.code.define(f"bitcast {old} {whole} to {new}")
        return varying(*self.lanes.separated(kinds[1], whole, count))

    def _construct(self, expr: ir.Construct) -> Operand:
        operands = [self.operand(component) for component in expr.components]
        if any(operand.is_varying for operand in operands):
            return varying(*(self.lanes.spread(operand, expr.type.element).text for operand in operands))
        return uniform(self.code.vector(llvm_type(expr.type.element), [operand.text for operand in operands]))

    def _splat(self, expr: ir.Splat) -> Operand:
        if isinstance(expr.operand, ir.Constant):
            return uniform(literal(expr.operand.value, expr.type))
        operand = self.operand(expr.operand)
        if operand.is_varying:
            return varying(*operand.parts * expr.type.width)
        return uniform(self.code.splat(llvm_type(expr.type.element), operand.text, expr.type.width))

    def _extract(self, expr: ir.Extract) -> Operand:
        vector = self.operand(expr.vector)
        if vector.is_varying:
            return varying(vector.parts[expr.index])
        kind = llvm_type(expr.vector.type)
        return uniform(self.code.define(f"extractelement {kind} {vector.text}, i32 {expr.index}"))

    # ------------------------------------------------------------ indices

    def index(self, expr: ir.Expr) -> Index:
        """An index of elements.

        The sum of a signed a and b >= 0 is computed in 64 bits: if the i32 sum wrapped, it would be negative and thus
        out of range anyway. So most addresses are seen to be linear in the lanes and in the counters of loops.
        """
        if isinstance(expr, ir.Call) and expr.op is MathOp.MIN and isinstance(expr.args[0], ir.Convert):
            clamped = self._clamped_index(expr, expr.args[0].operand)
            if clamped is not None:
                return clamped
        linear = self._unclamped_index(expr) or self._in_range(expr)
        return linear or self._pieces.find(expr, lambda: self._index_of_lanes(expr)) or self._index_of_lanes(expr)

    def _in_range(self, expr: ir.Expr) -> Index | None:
        """An index that is linear modulo 2**32, and in range in the lanes that are on, as core has proven.

        Then the index of the first lane, in range or not, is an i32, and those of the lanes follow from it.
        """
        index = self._linear(expr, is_modular=True)
        if index is None or index.step is None or not 0 < abs(index.step) <= _MAX_STEP:
            return None
        return self._narrowed(index)

    def _index_of_lanes(self, expr: ir.Expr) -> Index:
        return self.indices.of_lanes(self.operand(expr).text, scalar_of(expr.type))

    def _clamped_index(self, expr: ir.Call, index: ir.Expr) -> Index | None:
        """The smaller of an i32 as u32 and a limit; None if that is not linear before it is clamped.

        Sums and products are computed modulo 2**64 here, although they may wrap in 32 bits: both agree if the result in
        64 bits is not beyond the limit, which is tested when the kernel runs.
        """
        if index.type != I32 or self.divergence.is_varying(expr.args[1]):
            return None
        last, exact = self._linear(expr.args[1]), self._unclamped_index(index)
        if exact is not None and last is not None and exact.step == 0:
            return self.indices.smaller(exact, last)
        linear = exact or self._linear(index, is_modular=True)
        if linear is None or last is None:
            return None
        return replace(linear, limit=last.first, otherwise=lambda: self._index_of_lanes(expr))

    def _unclamped_index(self, expr: ir.Expr) -> Index | None:
        plain = self.find_definition(expr)
        if isinstance(plain, ir.Binary) and plain.op is BinaryOp.ADD and plain.type == I32:
            large, small = self._split_sum(plain)
            first, second = self._linear(large, is_modular=True), self._linear(small)
            if first is not None and first.step == 0 and second is not None:
                return self.indices.sum(self._narrowed(first), second)
            if self.ranges.is_nonnegative(plain.left) or self.ranges.is_nonnegative(plain.right):
                first, second = self._linear(plain.left), self._linear(plain.right)
                if first is not None and second is not None:
                    return self.indices.sum(first, second)
        return self._linear(expr)

    def _narrowed(self, index: Index) -> Index:
        """The index whose first lane has the value of an i32, of which the lower bits are given."""
        if not index.first.startswith("%"):
            return replace(index, first=str(wrap_i32(int(index.first))))
        narrow = self.code.define(f"trunc i64 {index.first} to i32")
        return replace(index, first=self.code.define(f"sext i32 {narrow} to i64"))

    def _split_sum(self, expr: ir.Binary) -> tuple[ir.Expr, ir.Expr]:
        """A sum as that of its large summands and of its small ones, which are known to be from 0 on and not to wrap.

        So the addresses of neighbouring elements differ by constants, although an index as a whole may wrap.
        """
        parts: tuple[list[ir.Expr], list[ir.Expr]] = ([], [])
        room = type_interval(I32).hi
        for summand in self._summands(expr):
            interval = self.ranges.interval(summand)
            is_small = interval.lo >= 0 and interval.hi <= room
            parts[is_small].append(summand)
            room -= interval.hi if is_small else 0
        large, small = (_sum(summands) for summands in parts)
        return large, small

    def _summands(self, expr: ir.Expr) -> Iterator[ir.Expr]:
        plain = self.find_definition(expr)
        if isinstance(plain, ir.Binary) and plain.op is BinaryOp.ADD:
            yield from self._summands(plain.left)
            yield from self._summands(plain.right)
        else:
            yield expr

    def bind_linear(self, value: ir.Value, expr: ir.Expr) -> None:
        """Note that a varying value is linear in the lanes, if its definition is."""
        if value.type in (I32, U32) and (found := self._linear(expr)) is not None:
            self.scope.linear[value.id] = found

    def _linear(self, expr: ir.Expr, depth: int = 8, *, is_modular: bool = False) -> Index | None:
        """An i32 or u32 expression that is linear in the lanes, or None. Arithmetic that cannot wrap is done in 64
        bits, down to `depth` operations; with `is_modular` also sums and products that may."""
        if isinstance(expr, ir.Value) and expr.id in self.scope.linear:
            return self.scope.linear[expr.id]
        plain = self.find_definition(expr)
        if isinstance(plain, ir.Constant):
            return constant(int(plain.value))
        if isinstance(plain, ir.Builtin) and plain.kind is BuiltinKind.LOCAL_ID:
            first, is_x = self.scope.local_ids[plain.axis], plain.axis == 0 and self.lanes.count > 1
            return Index(first, int(is_x), self.lanes.count if is_x else 1)
        if depth and isinstance(plain, ir.Binary):
            found = self._linear_binary(plain, depth - 1, is_modular)
            if found is not None:
                return found
        if isinstance(plain, ir.Builtin) and plain.kind is BuiltinKind.SUBGROUP_INVOCATION_ID:
            return Index("0", 1, self.lanes.count)
        operand = self.operand(expr)
        if operand.is_varying:
            return None
        kind = llvm_type(expr.type)
        if kind == "i64":
            return Index(operand.text)
        extend = "sext" if scalar_of(expr.type).is_signed else "zext"
        return Index(self.code.define(f"{extend} {kind} {operand.text} to i64"))

    def _linear_binary(self, expr: ir.Binary, depth: int, is_modular: bool) -> Index | None:
        if (whole := _joined_blocks(expr)) is not None:
            return self._linear(whole, depth, is_modular=is_modular)
        if expr.op in _RING:
            left = self._linear(expr.left, depth, is_modular=is_modular)
            right = self._linear(expr.right, depth, is_modular=is_modular)
            if left is None or right is None:
                return None
            if not is_modular and self.ranges.may_overflow(expr):
                return self._wrapped(expr, left, right) if left.step == right.step == 0 else None
            if expr.op is BinaryOp.MUL:
                return self.indices.product(left, right)
            return self.indices.sum(left, right) if expr.op is BinaryOp.ADD else self.indices.difference(left, right)
        if not isinstance(expr.right, ir.Constant) or not self.ranges.is_nonnegative(expr.left):
            return None
        size, number = block_size(expr), int(expr.right.value)
        if not size and (expr.op is not BinaryOp.BIT_XOR or number <= 0):
            return None
        left = self._linear(expr.left, depth)
        if left is None or not left.step:
            return None
        if not size:
            return self.indices.flipped(left, number)
        parts = self.indices.blocks(left, size)
        return None if parts is None else parts[expr.op in _PLACES]

    def _wrapped(self, expr: ir.Binary, left: Index, right: Index) -> Index:
        """An operation that may wrap, on numbers that are the same in all lanes."""
        type = scalar_of(expr.type)
        kind = llvm_type(type)
        parts = [
            part.first if kind == "i64" or not part.first.startswith("%")
            else self.code.define(f"trunc i64 {part.first} to {kind}")
            for part in (left, right)
        ]  # fmt: skip
        result = self.arithmetic.binary(expr.op, type, parts[0], parts[1])
        if kind == "i64":
            return Index(result)
        return Index(self.code.define(f"{'sext' if type.is_signed else 'zext'} {kind} {result} to i64"))

    def find_definition(self, expr: ir.Expr) -> ir.Expr:
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


def _sum(summands: list[ir.Expr]) -> ir.Expr:
    total, *rest = summands or [_ZERO]
    for summand in rest:
        total = ir.Binary(BinaryOp.ADD, total, summand, I32)
    return total


def _joined_blocks(expr: ir.Binary) -> ir.Expr | None:
    """x, if the expression is x // size * size + x % size."""
    match expr:
        case ir.Binary(
            op=BinaryOp.ADD,
            left=ir.Binary(op=BinaryOp.MUL, left=ir.Binary(op=BinaryOp.FLOOR_DIV) as quotient, right=size),
            right=ir.Binary(op=BinaryOp.FLOOR_MOD) as rest,
        ) if size == quotient.right == rest.right and quotient.left == rest.left and block_size(rest) > 0:
            return rest.left
    return None
