"""Atomics of a gang: lane by lane.

Buffers need atomic instructions. A workgroup runs on one thread, so its own arrays do not.
"""

from __future__ import annotations

from collections.abc import Callable

from gpucore.plugin import ir
from gpucore.plugin.ir import AtomicOp, scalar_of
from gpucore_cpu.accesses import Accesses, Location
from gpucore_cpu.lanes import Lanes, Operand, varying
from gpucore_cpu.layout import llvm_type, memory_nbytes
from gpucore_cpu.scope import Expressions

_ATOMIC = {AtomicOp.ADD: "add", AtomicOp.SUB: "sub", AtomicOp.AND: "and", AtomicOp.OR: "or", AtomicOp.XOR: "xor",
           AtomicOp.EXCHANGE: "xchg"}  # fmt: skip
_FLOAT_ATOMIC = {AtomicOp.ADD: "fadd", AtomicOp.SUB: "fsub", AtomicOp.EXCHANGE: "xchg"}
_OF_FLOATS = _FLOAT_ATOMIC.keys() | {AtomicOp.LOAD, AtomicOp.STORE}
_OF_INTEGERS = _ATOMIC.keys() | {
    AtomicOp.LOAD, AtomicOp.STORE, AtomicOp.MIN, AtomicOp.MAX, AtomicOp.COMPARE_EXCHANGE
}  # fmt: skip
_LANE_BITS = 32  # of the number of a lane
_UNROLLED = 16  # lanes in an iteration
_MAX_ATOMICS_UNROLLED = 8  # of a kernel: they are long


class Atomics:
    """Writes atomic operations."""

    def __init__(self, expressions: Expressions, accesses: Accesses, lanes: Lanes) -> None:
        self.code, self._lanes = lanes.code, lanes
        self._expressions, self._accesses = expressions, accesses
        self._num_unrolled = 0

    def write(self, statement: ir.Atomic, location: Location, mask: str | None) -> Operand:
        """Write the operation for every lane that is on; returns the values before it, meaningless for a store."""
        element = statement.place.type
        self._check_atomic(statement.op, element)
        given = [
            None if expr is None else self._expressions.operand(expr)
            for expr in (statement.operand, statement.comparand)
        ]
        address = self._accesses.lane_pointers(location)
        if self._lanes.count == 1:
            read = ["" if each is None else each.text for each in given]
            return Operand((self._atomic_at(statement, address("0"), *read),))
        code, kind, vector = self.code, llvm_type(element), llvm_type(self._lanes.type(element))
        values = [None if each is None else self._accesses.in_memory(each, element) for each in given]
        results = code.alloca(vector, 64, "results") if statement.value is not None else ""
        if results:
            code.write(f"store {vector} zeroinitializer, ptr {results}")

        def at(lane: str) -> None:
            read = ["" if each is None else each(lane) for each in values]
            before = self._atomic_at(statement, address(lane), *read)
            if results:
                slot = code.define(f"getelementptr inbounds {kind}, ptr {results}, i32 {lane}")
                code.write(f"store {kind} {before}, ptr {slot}")

        self._each_lane(at, mask)
        return varying(code.define(f"load {vector}, ptr {results}", "before") if results else "")

    def _each_lane(self, write: Callable[[str], None], mask: str | None) -> None:
        """Write something for each lane that is on, given its number: without tests where all are."""
        code, count = self.code, self._lanes.count
        if mask is None:
            self._every_lane(write)
            return
        bits, end, some = self._lanes.bits(mask), code.fresh_label("end_lanes"), code.fresh_label("some_lanes")
        if self._num_unrolled < _MAX_ATOMICS_UNROLLED:
            every = code.fresh_label("every_lane")
            code.branch(code.define(f"icmp eq i{count} {bits}, -1"), every, some)
            code.start(every)
            self._every_lane(write)
            code.jump(end)
        code.start(some)
        self._each_bit(write, bits, end)
        code.start(end)

    def _every_lane(self, write: Callable[[str], None]) -> None:
        """A loop over all lanes, unrolled."""
        code, count = self.code, self._lanes.count
        step = min(count, _UNROLLED) if self._num_unrolled < _MAX_ATOMICS_UNROLLED else 1
        self._num_unrolled += step > 1
        loop = None if step == count else code.open_loop("i32", "0", str(count), hint="lane", step=step)
        for lane in range(step):
            write(str(lane) if loop is None else code.define(f"add nuw i32 {loop.counter}, {lane}"))
        if loop is not None:
            code.close_loop(loop)

    def _each_bit(self, write: Callable[[str], None], bits: str, end: str) -> None:
        """A loop over the bits that are set in the mask `bits`."""
        code, count = self.code, self._lanes.count
        kind, before = f"i{count}", code.label
        head, body = code.fresh_label("lane_head"), code.fresh_label("lane_on")
        self._expressions.arithmetic.module.declare(f"llvm.cttz.{kind}", kind, (kind, "i1"))
        code.start(head)
        left, rest = code.fresh("left"), code.fresh("rest")
        tail = code.fresh_label("lane_next")
        code.write(f"{left} = phi {kind} [ {bits}, %{before} ], [ {rest}, %{tail} ]")
        code.branch(code.define(f"icmp ne {kind} {left}, 0"), body, end)
        code.start(body)
        lane = code.define(f"call {kind} @llvm.cttz.{kind}({kind} {left}, i1 true)", "lane")
        if count != _LANE_BITS:
            lane = code.define(f"{'zext' if count < _LANE_BITS else 'trunc'} {kind} {lane} to i32", "lane")
        write(lane)
        code.start(tail)
        code.write(f"{rest} = and {kind} {left}, {code.define(f'sub {kind} {left}, 1')}")
        code.jump(head)

    def _atomic_at(self, statement: ir.Atomic, address: str, operand: str, comparand: str) -> str:
        """The operation of one lane; returns the value before it, or "" for a store."""
        element = statement.place.type
        if statement.op is AtomicOp.STORE and statement.value is None:
            kind, align = llvm_type(element), memory_nbytes(element)
            self.code.write(f"store atomic {kind} {operand}, ptr {address} monotonic, align {align}")
            return ""
        write = self._shared_atomic if isinstance(statement.place.memory, ir.Buffer) else self._single_atomic
        return write(statement.op, element, address, operand, comparand)

    def _check_atomic(self, op: AtomicOp, element: ir.Type) -> None:
        """Raise EmitError for an unsupported atomic."""
        if op not in (_OF_FLOATS if scalar_of(element).is_float else _OF_INTEGERS):
            raise self.code.missing(f"atomic {op.value} of {element}")

    def _shared_atomic(self, op: AtomicOp, element: ir.Type, address: str, operand: str, comparand: str) -> str:
        code, kind, align = self.code, llvm_type(element), memory_nbytes(element)
        names = _FLOAT_ATOMIC if scalar_of(element).is_float else _ATOMIC
        match op:
            case AtomicOp.LOAD:
                return code.define(f"load atomic {kind}, ptr {address} monotonic, align {align}")
            case AtomicOp.STORE:
                return code.define(f"atomicrmw xchg ptr {address}, {kind} {operand} monotonic")
            case AtomicOp.COMPARE_EXCHANGE:
                exchange = f"cmpxchg ptr {address}, {kind} {comparand}, {kind} {operand} monotonic monotonic"
                return code.define(f"extractvalue {{ {kind}, i1 }} {code.define(exchange)}, 0")
            case AtomicOp.MIN | AtomicOp.MAX:
                name = op.value if scalar_of(element).is_signed else f"u{op.value}"
                return code.define(f"atomicrmw {name} ptr {address}, {kind} {operand} monotonic")
            case _:
                return code.define(f"atomicrmw {names[op]} ptr {address}, {kind} {operand} monotonic")

    def _single_atomic(self, op: AtomicOp, element: ir.Type, address: str, operand: str, comparand: str) -> str:
        code, kind = self.code, llvm_type(element)
        before = code.define(f"load {kind}, ptr {address}, align {memory_nbytes(element)}")
        match op:
            case AtomicOp.LOAD:
                return before
            case AtomicOp.STORE | AtomicOp.EXCHANGE:
                after = operand
            case AtomicOp.COMPARE_EXCHANGE:
                is_equal = code.define(f"icmp eq {kind} {before}, {comparand}")
                after = code.define(f"select i1 {is_equal}, {kind} {operand}, {kind} {before}")
            case AtomicOp.MIN | AtomicOp.MAX:
                sign, order = "s" if scalar_of(element).is_signed else "u", "lt" if op is AtomicOp.MIN else "gt"
                is_better = code.define(f"icmp {sign}{order} {kind} {operand}, {before}")
                after = code.define(f"select i1 {is_better}, {kind} {operand}, {kind} {before}")
            case _:
                names = _FLOAT_ATOMIC if scalar_of(element).is_float else _ATOMIC
                after = code.define(f"{names[op]} {kind} {before}, {operand}")
        code.write(f"store {kind} {after}, ptr {address}, align {memory_nbytes(element)}")
        return before
