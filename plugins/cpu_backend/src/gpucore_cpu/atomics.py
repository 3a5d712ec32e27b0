"""Atomics of a gang: lane by lane.

Buffers need atomic instructions. A workgroup runs on one thread, so its own arrays do not.
"""

from __future__ import annotations

from gpucore import ir
from gpucore.ir import AtomicOp, scalar_of
from gpucore_cpu.accesses import Accesses, Location
from gpucore_cpu.assembly import CountedLoop
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


class Atomics:
    """Writes atomic operations."""

    def __init__(self, expressions: Expressions, accesses: Accesses, lanes: Lanes) -> None:
        self.code, self._lanes = lanes.code, lanes
        self._expressions, self._accesses = expressions, accesses

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
        loop = code.open_loop("i32", "0", str(self._lanes.count), hint="lane")
        self._skip_unless_on(loop, mask)
        read = ["" if each is None else each(loop.counter) for each in values]
        before = self._atomic_at(statement, address(loop.counter), *read)
        if results:
            slot = code.define(f"getelementptr inbounds {kind}, ptr {results}, i32 {loop.counter}")
            code.write(f"store {kind} {before}, ptr {slot}")
        code.close_loop(loop)
        return varying(code.define(f"load {vector}, ptr {results}", "before") if results else before)

    def _skip_unless_on(self, loop: CountedLoop, mask: str | None) -> None:
        """In a loop over the lanes: go on with the next if this one is off."""
        if mask is None:
            return
        code, count = self.code, self._lanes.count
        bits = f"i{count}"
        body = code.fresh_label("lane_on")
        whole = self._lanes.bits(mask)
        shifted = code.define(f"lshr {bits} {whole}, {code.define(f'trunc i32 {loop.counter} to {bits}')}")
        code.branch(code.define(f"trunc {bits} {shifted} to i1"), body, loop.next_label)
        code.start(body)

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
