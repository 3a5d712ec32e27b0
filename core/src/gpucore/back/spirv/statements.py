"""Statements of the IR as blocks of instructions.

Memory is ordered as GLSL orders it (the memory model GLSL450), which every device has. An access by an atomic is
relaxed. A barrier orders workgroup memory, and buffers where it says so, for the workgroup or the subgroup; a fence
orders buffers for the device. What it orders are accesses to variables that are Coherent: `memory` decorates the
buffers that a kernel writes, if it has such a barrier or fence.
"""

from __future__ import annotations

from itertools import islice

from gpucore import ir
from gpucore.back.spirv import subgroups
from gpucore.back.spirv.assembly import STORAGE, Assembly
from gpucore.back.spirv.expressions import Expressions
from gpucore.back.spirv.instructions import Id, Operand, Word
from gpucore.back.spirv.memory import Memories, local_variable
from gpucore.ir import F32, AtomicOp, ScalarType, build, scalar_of, walk

_DEVICE, _WORKGROUP = 1, 2  # scopes
_ACQUIRE_RELEASE, _OF_BUFFERS, _OF_WORKGROUP = 0x8, 0x40, 0x100  # semantics
_NO_HINT = Word(0, "None")
_DONT_UNROLL = Word(2, "DontUnroll")
_LONG = 64  # statements; drivers unroll such bodies, too: products take 1.22 times as long on an H100 then

_ATOMICS = {
    AtomicOp.ADD: ("OpAtomicIAdd", "OpAtomicIAdd"), AtomicOp.SUB: ("OpAtomicISub", "OpAtomicISub"),
    AtomicOp.MIN: ("OpAtomicSMin", "OpAtomicUMin"), AtomicOp.MAX: ("OpAtomicSMax", "OpAtomicUMax"),
    AtomicOp.AND: ("OpAtomicAnd", "OpAtomicAnd"), AtomicOp.OR: ("OpAtomicOr", "OpAtomicOr"),
    AtomicOp.XOR: ("OpAtomicXor", "OpAtomicXor"), AtomicOp.EXCHANGE: ("OpAtomicExchange", "OpAtomicExchange"),
}  # fmt: skip
"""Of signed and unsigned integers."""


class Statements:
    """Writes the body of one kernel."""

    def __init__(self, assembly: Assembly, expressions: Expressions, memories: Memories) -> None:
        self._assembly, self._expressions, self._memories = assembly, expressions, memories
        self._loops: list[tuple[Id, Id]] = []  # where the loops around go on after their end, and at each next step

    def run(self, block: ir.Block, /) -> None:
        """Write a block that ends where the next instruction follows."""
        self.ends(block)

    def ends(self, block: ir.Block) -> bool:
        """Write a block; whether its end can be reached."""
        for statement in block:
            self._assembly.span = statement.span or self._assembly.span
            if not self._write(statement):
                return False
        return True

    def _write(self, statement: ir.Stmt) -> bool:
        match statement:
            case ir.If():
                return self._if(statement)
            case ir.ForRange():
                self._for(statement)
            case ir.Loop():
                self._loop(statement)
            case ir.Break():
                self._assembly.act("OpBranch", self._loops[-1][0])
                return False
            case ir.Continue():
                self._assembly.act("OpBranch", self._loops[-1][1])
                return False
            case _:
                self._simple(statement)
        return True

    def _simple(self, statement: ir.Stmt) -> None:
        expressions = self._expressions
        match statement:
            case ir.Let() | ir.Uniform():
                self._bind(statement.value, expressions.value(statement.expr))
            case ir.Load():
                self._bind(statement.value, self._load(statement.place))
            case ir.Store():
                self._store(statement.place, statement.expr)
            case ir.Declare():
                self._declare(statement)
            case ir.Assign():
                self._assembly.act(
                    "OpStore", expressions.variables[statement.local.id], expressions.value(statement.expr)
                )
            case ir.DeclareArray():
                self._memories.declare_private(statement.array)
            case ir.Atomic():
                self._atomic(statement)
            case ir.Subgroup(value=None):
                self._barrier(subgroups.SCOPE, subgroups.SCOPE, statement.buffers)
            case ir.Subgroup():
                id = subgroups.operation(self._assembly, expressions, statement)
                self._bind(statement.result, id)
            case ir.Barrier():
                self._barrier(_WORKGROUP, _WORKGROUP, statement.buffers)
            case ir.DeviceFence():
                scope, semantics = map(self._assembly.constant_u32, (_DEVICE, _ACQUIRE_RELEASE | _OF_BUFFERS))
                self._assembly.act("OpMemoryBarrier", scope, semantics)
            case ir.Debug():
                raise expressions.error(f"SPIR-V has no {statement.kind.value}")
            case _:
                raise expressions.error(f"SPIR-V has no form for {type(statement).__name__}")

    def _bind(self, value: ir.Value, id: Id) -> None:
        self._expressions.values[value.id] = id
        self._assembly.hint(id, value.name)

    def _barrier(self, execution: int, memory: int, orders_buffers: bool) -> None:
        semantics = _ACQUIRE_RELEASE | _OF_WORKGROUP | (_OF_BUFFERS if orders_buffers else 0)
        parts = map(self._assembly.constant_u32, (execution, memory, semantics))
        self._assembly.act("OpControlBarrier", *parts)

    def _declare(self, statement: ir.Declare) -> None:
        local, expressions = statement.local, self._expressions
        if local.id not in expressions.variables:
            kind = self._assembly.type(local.type)
            expressions.variables[local.id] = local_variable(self._assembly, kind, local.name)
        if statement.init is not None:
            self._assembly.act("OpStore", expressions.variables[local.id], expressions.value(statement.init))

    # ------------------------------------------------------------ memory

    def _load(self, place: ir.Place) -> Id:
        pointer, _ = self._memories.pointer(place)
        stored, kind = self._memories.stored_type(place), self._assembly.type(place.type)
        loaded = self._assembly.value("OpLoad", stored, pointer)
        if stored == kind:
            return loaded
        return self._assembly.value("OpSConvert" if scalar_of(place.type).is_signed else "OpUConvert", kind, loaded)

    def _store(self, place: ir.Place, expr: ir.Expr) -> None:
        pointer, _ = self._memories.pointer(place)
        value, stored = self._expressions.value(expr), self._memories.stored_type(place)
        if stored != self._assembly.type(place.type):
            op = "OpSConvert" if scalar_of(place.type).is_signed else "OpUConvert"
            value = self._assembly.value(op, stored, value)
        self._assembly.act("OpStore", pointer, value)

    def _atomic(self, statement: ir.Atomic) -> None:
        scalar, assembly = scalar_of(statement.place.type), self._assembly
        if scalar.bits == 64:
            assembly.capabilities.add("Int64Atomics")
        pointer, storage = self._memories.pointer(statement.place)
        scope, relaxed = assembly.constant_u32(_DEVICE if storage is STORAGE else _WORKGROUP), assembly.constant_u32(0)
        kind = assembly.type(scalar)
        operand = None if statement.operand is None else self._expressions.value(statement.operand)
        if statement.op is AtomicOp.STORE and operand is not None:
            assembly.act("OpAtomicStore", pointer, scope, relaxed, operand)
            return
        if statement.op is AtomicOp.LOAD:
            old = assembly.value("OpAtomicLoad", kind, pointer, scope, relaxed)
        elif statement.op is AtomicOp.COMPARE_EXCHANGE and operand is not None and statement.comparand is not None:
            comparand = self._expressions.value(statement.comparand)
            parts: list[Operand] = [pointer, scope, relaxed, relaxed, operand, comparand]
            old = assembly.value("OpAtomicCompareExchange", kind, *parts)
        elif operand is not None:
            op, operand = self._read_modify_write(statement, scalar, operand)
            old = assembly.value(op, kind, pointer, scope, relaxed, operand)
        else:
            raise self._expressions.error(f"{statement.op.value} needs an operand")
        if statement.value is not None:
            self._bind(statement.value, old)

    def _read_modify_write(self, statement: ir.Atomic, scalar: ScalarType, operand: Id) -> tuple[str, Id]:
        """The instruction and its operand. Of floats only a sum exists."""
        if scalar == F32 and statement.op in (AtomicOp.ADD, AtomicOp.SUB):
            self._assembly.capabilities.add("AtomicFloat32AddEXT")
            if statement.op is AtomicOp.SUB:
                operand = self._expressions.value(build.neg(self._expressions.known(operand, F32)))
            return "OpAtomicFAddEXT", operand
        return _ATOMICS[statement.op][0 if scalar.is_signed else 1], operand

    # ------------------------------------------------------------ control flow

    def _if(self, statement: ir.If) -> bool:
        """An If that is the whole else-branch is written without a Python frame for it. Where neither branch goes on,
        the block after both cannot be reached, and ends at once."""
        assembly = self._assembly
        ends: list[tuple[Id, bool]] = []  # the blocks after each, and whether a branch of its own goes there
        while True:
            condition = self._expressions.value(statement.condition)
            then, end = assembly.label("then"), assembly.label("end_if")
            orelse = assembly.label("else") if statement.orelse else end
            assembly.act("OpSelectionMerge", end, _NO_HINT)
            assembly.act("OpBranchConditional", condition, then, orelse)
            goes_on = self._branch(then, statement.then, end) or orelse is end
            rest = statement.orelse
            if len(rest) != 1 or not isinstance(rest[0], ir.If):
                break
            ends.append((end, goes_on))
            assembly.begin(orelse)
            statement = rest[0]
            assembly.span = statement.span or assembly.span
        if orelse is not end:
            goes_on = self._branch(orelse, rest, end) or goes_on
        assembly.begin(end)
        for outer, has_branch in reversed(ends):
            assembly.act(*(("OpBranch", outer) if goes_on else ("OpUnreachable",)))
            goes_on = goes_on or has_branch
            assembly.begin(outer)
        if not goes_on:
            assembly.act("OpUnreachable")
        return goes_on

    def _branch(self, label: Id, block: ir.Block, end: Id) -> bool:
        """Write a branch of an If; whether it goes on at its end."""
        self._assembly.begin(label)
        goes_on = self.ends(block)
        if goes_on:
            self._assembly.act("OpBranch", end)
        return goes_on

    def _loop(self, statement: ir.Loop) -> None:
        assembly = self._assembly
        header, body, step, end = map(assembly.label, ("loop", "body", "step", "end_loop"))
        assembly.act("OpBranch", header)
        assembly.begin(header)
        assembly.act("OpLoopMerge", end, step, _hint(statement))
        assembly.act("OpBranch", body)
        self._body(statement, body, end, step)
        assembly.act("OpBranch", header)
        assembly.begin(end)

    def _for(self, statement: ir.ForRange) -> None:
        assembly, expressions, counter = self._assembly, self._expressions, statement.counter
        start, stop = expressions.value(statement.start), expressions.value(statement.stop)
        header, check, body, step, end = map(assembly.label, ("for", "check", "body", "step", "end_for"))
        before = assembly.block
        assembly.act("OpBranch", header)
        assembly.begin(header)
        kind = assembly.type(counter.type)
        pairs: list[Operand] = [start, before]
        expressions.values[counter.id] = assembly.phi(kind, pairs, counter.name)
        assembly.act("OpLoopMerge", end, step, _hint(statement))
        assembly.act("OpBranch", check)
        assembly.begin(check)
        goes_on = expressions.value(build.lt(counter, expressions.known(stop, counter.type)))
        assembly.act("OpBranchConditional", goes_on, body, end)
        self._body(statement, body, end, step)
        pairs += [expressions.value(build.add(counter, 1)), step]
        assembly.act("OpBranch", header)
        assembly.begin(end)

    def _body(self, statement: ir.Loop | ir.ForRange, body: Id, end: Id, step: Id) -> None:
        """The body of a loop; the block `step` is begun after it."""
        assembly = self._assembly
        assembly.begin(body)
        self._loops.append((end, step))
        if self.ends(statement.body):
            assembly.act("OpBranch", step)
        self._loops.pop()
        assembly.span = statement.span or assembly.span
        assembly.begin(step)


def _hint(loop: ir.ForRange | ir.Loop) -> Word:
    """What a driver is told of a loop. Core has unrolled what is worth it."""
    is_long = next(islice(walk.statements(loop.body), _LONG, None), None) is not None
    return _DONT_UNROLL if is_long else _NO_HINT
