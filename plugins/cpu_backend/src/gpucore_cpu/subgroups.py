"""Subgroups: each is a gang, so that its operations are vector instructions.

A subgroup has `num_lanes` consecutive invocations of a workgroup, numbered with x fastest; the last one may have fewer.
Gangs run along x. They are the subgroups if every row of the workgroup is a whole number of gangs, or if there is only
one row. In other kernels gangs run along the numbers of the invocations, and the ids are computed from these.

All invocations of a subgroup reach its operations, or none. So the lanes that are off are the last ones of the
last subgroup, and lane 0 is on.

Floats are added in halves: of eight, ((x0 + x4) + (x2 + x6)) + ((x1 + x5) + (x3 + x7)). A prefix sum of n lanes takes
log2(n) steps, each of which adds the sum of the lanes before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from gpucore.plugin import ir
from gpucore.plugin.ir import (
    BOOL,
    I32,
    LANE_OPERATIONS,
    MASKS,
    U32,
    BuiltinKind,
    MathOp,
    SubgroupOp,
    VectorType,
    build,
    walk,
)
from gpucore_cpu.accesses import Accesses
from gpucore_cpu.lanes import Lanes, Operand, uniform, varying
from gpucore_cpu.layout import literal, llvm_type, suffix
from gpucore_cpu.mathematics import Mathematics
from gpucore_cpu.scope import Expressions

_SOURCES: dict[SubgroupOp, Callable[[int, int], int]] = {
    SubgroupOp.SHUFFLE: lambda lane, argument: argument,
    SubgroupOp.SHUFFLE_XOR: lambda lane, argument: lane ^ argument,
    SubgroupOp.SHUFFLE_UP: lambda lane, argument: lane - argument,
    SubgroupOp.SHUFFLE_DOWN: lambda lane, argument: lane + argument,
}
_INSTRUCTIONS = {SubgroupOp.SHUFFLE_XOR: "xor", SubgroupOp.SHUFFLE_UP: "sub", SubgroupOp.SHUFFLE_DOWN: "add"}
_COUNTING = {SubgroupOp.ADD, SubgroupOp.INCLUSIVE_ADD, SubgroupOp.EXCLUSIVE_ADD, SubgroupOp.BALLOT}
"""The operations whose result is not the operand, where that is the same in all lanes."""
_EXTREMES = {SubgroupOp.MIN: MathOp.MIN, SubgroupOp.MAX: MathOp.MAX}


# ---------------------------------------------------------------- gangs that are subgroups


@dataclass(frozen=True, slots=True)
class Arrangement:
    """How the invocations of a kernel are divided into gangs."""

    module: ir.Module
    size: tuple[int, int, int]  # of the loops over invocations; gangs run along the first axis
    num_lanes: int


def arrange(module: ir.Module, num_lanes: int) -> Arrangement:
    """The gangs of a kernel: of at most `num_lanes`, a power of two; if the kernel has subgroups, these are the gangs.

    The kernel is returned without the numbers that are known then.
    """
    size, invocations = module.workgroup_size, module.num_invocations
    if not walk.uses_subgroups(module):
        return Arrangement(module, size, min(num_lanes, 1 << size[0].bit_length() - 1))
    gang = min(num_lanes, 1 << (invocations - 1).bit_length())
    in_rows = size[0] == invocations or size[0] % gang == 0
    known = _known_builtins(size, num_lanes, gang)
    if not in_rows:
        known |= _local_ids(size, known)

    def on_expr(expr: ir.Expr) -> ir.Expr:
        return walk.map_leaves(expr, lambda leaf: known.get(leaf, leaf) if isinstance(leaf, ir.Builtin) else leaf)

    body = walk.map_block(module.body, on_expr)
    return Arrangement(replace(module, body=body), size if in_rows else (invocations, 1, 1), gang)


def _known_builtins(size: tuple[int, int, int], num_lanes: int, gang: int) -> dict[ir.Builtin, ir.Expr]:
    count = -(-size[0] * size[1] * size[2] // num_lanes)
    known: dict[BuiltinKind, int] = {BuiltinKind.SUBGROUP_SIZE: num_lanes, BuiltinKind.NUM_SUBGROUPS: count}
    if count == 1:
        known[BuiltinKind.SUBGROUP_ID] = 0
    if gang == 1:
        known[BuiltinKind.SUBGROUP_INVOCATION_ID] = 0
    return {ir.Builtin(kind, 0): ir.Constant(value, I32) for kind, value in known.items()}


def _local_ids(size: tuple[int, int, int], known: dict[ir.Builtin, ir.Expr]) -> dict[ir.Builtin, ir.Expr]:
    """The ids of an invocation in its workgroup, from its number."""
    subgroup, lane = ir.Builtin(BuiltinKind.SUBGROUP_ID, 0), ir.Builtin(BuiltinKind.SUBGROUP_INVOCATION_ID, 0)
    num_lanes = known[ir.Builtin(BuiltinKind.SUBGROUP_SIZE, 0)]
    number = known.get(lane, lane)
    if subgroup not in known:
        number = build.add(build.mul(subgroup, num_lanes), number)
    found: dict[ir.Builtin, ir.Expr] = {}
    stride = 1
    for axis, length in enumerate(size):
        quotient = build.floor_div(number, stride) if stride > 1 else number
        own = build.floor_mod(quotient, length) if length > 1 else ir.Constant(0, I32)
        found[ir.Builtin(BuiltinKind.LOCAL_ID, axis)] = own
        stride *= length
    return found


# ---------------------------------------------------------------- operations


class Subgroups:
    """Writes subgroup operations."""

    def __init__(self, expressions: Expressions, accesses: Accesses, lanes: Lanes) -> None:
        self.code, self._lanes = lanes.code, lanes
        self._expressions, self._accesses = expressions, accesses
        self._arithmetic = expressions.arithmetic
        self._mathematics = Mathematics(expressions.arithmetic)

    def write(self, statement: ir.Subgroup, mask: str | None) -> Operand:
        """Write the operation for a gang. The result is uniform where it is the same in the whole subgroup."""
        op = statement.op
        if op is SubgroupOp.ELECT:
            return self._elected()
        assert statement.operand is not None
        operand, type = self._expressions.operand(statement.operand), statement.operand.type
        assert isinstance(type, ir.ScalarType)
        if self._lanes.count == 1:
            return self._alone(op, operand, type)
        if op is SubgroupOp.MATCH:
            return self._match(statement, operand, type, mask)
        if not operand.is_varying and op not in _COUNTING:
            return operand
        text = self._lanes.spread(operand, type).text
        if statement.argument is not None and op in LANE_OPERATIONS:
            write = self._broadcast if op is SubgroupOp.BROADCAST else self._shuffle
            return write(op, type, text, statement.argument, mask)
        match op:
            case SubgroupOp.BALLOT | SubgroupOp.ANY | SubgroupOp.ALL:
                return self._vote(op, text, mask)
            case SubgroupOp.ADD:
                return uniform(self._sum(type, self._filled(text, type, self._neutral(type), mask)))
            case SubgroupOp.MIN | SubgroupOp.MAX:
                return uniform(self._extreme(op, type, text, mask))
            case SubgroupOp.INCLUSIVE_ADD | SubgroupOp.EXCLUSIVE_ADD:
                return varying(self._scan(op, type, text))
            case _:
                raise self.code.missing(f"subgroup operation {op.value}")

    def _elected(self) -> Operand:
        if self._lanes.count == 1:
            return uniform("true")
        flags = ", ".join(f"i1 {'false' if lane else 'true'}" for lane in range(self._lanes.count))
        return varying(f"<{flags}>")

    def _alone(self, op: SubgroupOp, operand: Operand, type: ir.ScalarType) -> Operand:
        """In a gang of one."""
        if op in MASKS:
            return self._ballot("i1", operand.text if op is SubgroupOp.BALLOT else "true")
        return uniform(literal(0, type)) if op is SubgroupOp.EXCLUSIVE_ADD else operand

    def _filled(self, text: str, type: ir.ScalarType, fill: str, mask: str | None) -> str:
        """An operand with something else in the lanes that are off, whose values are not even defined."""
        if mask is None:
            return text
        kind = llvm_type(self._lanes.type(type))
        return self.code.define(f"select {self._lanes.mask_kind} {mask}, {kind} {text}, {kind} {fill}")

    def _neutral(self, type: ir.ScalarType) -> str:
        """What changes no sum: for floats -0.0."""
        return literal(-0.0 if type.is_float else 0, self._lanes.type(type))

    def _shuffled(self, type: ir.ScalarType, width: int, first: str, second: str, order: Sequence[int]) -> str:
        return self._lanes.shuffled(llvm_type(type), width, first, second, order)

    # ------------------------------------------------------------ reductions and scans

    def _vote(self, op: SubgroupOp, text: str, mask: str | None) -> Operand:
        lanes = self._lanes
        text = self._filled(text, BOOL, lanes.splat("i1", "true" if op is SubgroupOp.ALL else "false"), mask)
        if op is SubgroupOp.ANY:
            return uniform(lanes.is_any(text))
        if op is SubgroupOp.ALL:
            return uniform(self.code.define(f"icmp eq i{lanes.count} {lanes.bits(text)}, -1"))
        return self._ballot(f"i{lanes.count}", lanes.bits(text))

    def _ballot(self, kind: str, bits: str) -> Operand:
        """The bits as the first of the four words."""
        word = self.code.define(f"zext {kind} {bits} to i32")
        return uniform(self.code.define(f"insertelement <4 x i32> zeroinitializer, i32 {word}, i32 0"))

    def _match(self, statement: ir.Subgroup, operand: Operand, type: ir.ScalarType, mask: str | None) -> Operand:
        """One comparison for each lane that may be equal."""
        code, lanes, vector = self.code, self._lanes, self._lanes.vector("i32")
        text = self._filled(lanes.spread(operand, type).text, type, "zeroinitializer", mask)
        if statement.bits < U32.bits:
            text = code.define(f"and {vector} {text}, {lanes.splat('i32', str((1 << statement.bits) - 1))}")
        same = "zeroinitializer"
        for lane in range(lanes.count):
            other = self._shuffled(type, lanes.count, text, "poison", [lane] * lanes.count)
            is_same = code.define(f"icmp eq {vector} {text}, {other}")
            bit = lanes.splat("i32", str(1 << lane))
            found = code.define(f"select {lanes.mask_kind} {is_same}, {vector} {bit}, {vector} zeroinitializer")
            same = code.define(f"or {vector} {same}, {found}")
        if mask is not None:
            kind = f"i{lanes.count}"
            on = code.define(f"zext {kind} {lanes.bits(mask)} to i32")
            same = code.define(f"and {vector} {same}, {lanes.splat('i32', on)}")
        return varying(same, *["zeroinitializer"] * 3)

    def _sum(self, type: ir.ScalarType, text: str) -> str:
        if type.is_float:
            return self._fold(type, text, lambda kind, one, other: self._added(kind, one, other))
        return self._reduced("add", type, text)

    def _extreme(self, op: SubgroupOp, type: ir.ScalarType, text: str, mask: str | None) -> str:
        """The lanes that are off have the value of lane 0."""
        if mask is not None:
            count = self._lanes.count
            text = self._filled(text, type, self._shuffled(type, count, text, "poison", [0] * count), mask)
        if type.is_float:
            return self._fold(
                type, text, lambda kind, one, other: self._mathematics.call(_EXTREMES[op], kind, [one, other])
            )
        return self._reduced(f"{'s' if type.is_signed else 'u'}{op.value}", type, text)

    def _reduced(self, name: str, type: ir.ScalarType, text: str) -> str:
        vector = self._lanes.type(type)
        return self._arithmetic.call(f"llvm.vector.reduce.{name}.{suffix(vector)}", type, (llvm_type(vector), text))

    def _fold(self, type: ir.ScalarType, text: str, combine: Callable[[ir.Type, str, str], str]) -> str:
        """Combine the lower and the upper half, until one value is left."""
        width = self._lanes.count
        while width > 2:
            half = width // 2
            low, high = (self._shuffled(type, width, text, "poison", range(start, start + half)) for start in (0, half))
            text, width = combine(VectorType(type, half), low, high), half
        kind = f"<2 x {llvm_type(type)}>"
        pair = [self.code.define(f"extractelement {kind} {text}, i32 {lane}") for lane in range(2)]
        return combine(type, *pair)

    def _added(self, type: ir.Type, left: str, right: str) -> str:
        """A sum that is not contracted with a product."""
        name = "fadd" if ir.scalar_of(type).is_float else "add"
        return self.code.define(f"{name} {llvm_type(type)} {left}, {right}")

    def _scan(self, op: SubgroupOp, type: ir.ScalarType, text: str) -> str:
        """Values go to higher lanes only: what is in the lanes that are off does not matter."""
        count, neutral, step = self._lanes.count, self._neutral(type), 1
        while step < count:
            text = self._added(self._lanes.type(type), text, self._moved_up(type, text, neutral, step))
            step *= 2
        if op is SubgroupOp.INCLUSIVE_ADD:
            return text
        return self._moved_up(type, text, literal(0, self._lanes.type(type)), 1)

    def _moved_up(self, type: ir.ScalarType, text: str, fill: str, step: int) -> str:
        count = self._lanes.count
        order = [lane - step if lane >= step else count for lane in range(count)]
        return self._shuffled(type, count, text, fill, order)

    # ------------------------------------------------------------ values of other lanes

    def _broadcast(
        self, op: SubgroupOp, type: ir.ScalarType, text: str, argument: ir.Expr, mask: str | None
    ) -> Operand:  # fmt: skip
        """The value of one lane; of lane 0 if that lane does not exist."""
        source = self._accesses.any_lane(self._expressions.operand(argument), U32, mask)
        exists = self.code.define(f"icmp ult i32 {source}, {self._lanes_on(mask)}")
        lane = self.code.define(f"select i1 {exists}, i32 {source}, i32 0")
        return uniform(self._accesses.lane(varying(text), type, lane))

    def _lanes_on(self, mask: str | None) -> str:
        """The number of lanes that are on, as i32."""
        count = self._lanes.count
        if mask is None:
            return str(count)
        kind = f"i{count}"
        self._arithmetic.module.declare(f"llvm.ctpop.{kind}", kind, (kind,))
        bits = self.code.define(f"call {kind} @llvm.ctpop.{kind}({kind} {self._lanes.bits(mask)})")
        return self.code.define(f"zext {kind} {bits} to i32")

    def _shuffle(
        self, op: SubgroupOp, type: ir.ScalarType, text: str, argument: ir.Expr, mask: str | None
    ) -> Operand:  # fmt: skip
        """The values of other lanes. A lane whose source does not exist keeps its own."""
        lanes, kind = self._lanes, llvm_type(self._lanes.type(type))
        if isinstance(argument, ir.Constant):
            wanted = [_SOURCES[op](lane, int(argument.value)) for lane in range(lanes.count)]
            order = [source if 0 <= source < lanes.count else lane for lane, source in enumerate(wanted)]
            moved = self._shuffled(type, lanes.count, text, "poison", order)
            if mask is not None:
                exist = self._exist("<" + ", ".join(f"i32 {source}" for source in order) + ">", mask)
                moved = self.code.define(f"select {lanes.mask_kind} {exist}, {kind} {moved}, {kind} {text}")
            return varying(moved)
        integers, own = lanes.vector("i32"), lanes.numbers(U32)
        sources = lanes.spread(self._expressions.operand(argument), U32).text
        if op in _INSTRUCTIONS:  # modulo 2**32: a lane below 0 does not exist either
            sources = self.code.define(f"{_INSTRUCTIONS[op]} {integers} {own}, {sources}")
        exist = self._exist(sources, mask)
        chosen = self.code.define(f"select {lanes.mask_kind} {exist}, {integers} {sources}, {integers} {own}")
        return varying(self._permuted(type, text, chosen))

    def _exist(self, sources: str, mask: str | None) -> str:
        """In which lanes the number is that of a lane that is on."""
        lanes = self._lanes
        limit = lanes.splat("i32", self._lanes_on(mask))
        return self.code.define(f"icmp ult {lanes.vector('i32')} {sources}, {limit}")

    def _permuted(self, type: ir.ScalarType, text: str, sources: str) -> str:
        """The values of the lanes with these numbers. LLVM makes one instruction of it, where there is one."""
        code, lanes = self.code, self._lanes
        numbers, vector = lanes.vector("i32"), lanes.vector(llvm_type(type))
        last = lanes.splat("i32", str(lanes.count - 1))
        sources = code.define(f"and {numbers} {sources}, {last}")  # of lanes that are off, too
        values = []
        for lane in range(lanes.count):
            source = code.define(f"extractelement {numbers} {sources}, i32 {lane}")
            values.append(code.define(f"extractelement {vector} {text}, i32 {source}"))
        return code.vector(llvm_type(type), values)
