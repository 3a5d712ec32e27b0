"""Statements of one invocation: memory, atomics, variables and control flow inside a region."""

from __future__ import annotations

from gpucore import ir
from gpucore.errors import EmitError
from gpucore.ir import AtomicOp, scalar_of
from gpucore_cpu.assembly import FunctionText
from gpucore_cpu.layout import llvm_type, memory_nbytes, memory_type
from gpucore_cpu.scope import Expressions

_ATOMIC = {AtomicOp.ADD: "add", AtomicOp.SUB: "sub", AtomicOp.AND: "and", AtomicOp.OR: "or", AtomicOp.XOR: "xor",
           AtomicOp.EXCHANGE: "xchg"}  # fmt: skip
_FLOAT_ATOMIC = {AtomicOp.ADD: "fadd", AtomicOp.SUB: "fsub", AtomicOp.EXCHANGE: "xchg"}
_OF_FLOATS = _FLOAT_ATOMIC.keys() | {AtomicOp.LOAD, AtomicOp.STORE}
_OF_INTEGERS = _ATOMIC.keys() | {
    AtomicOp.LOAD, AtomicOp.STORE, AtomicOp.MIN, AtomicOp.MAX, AtomicOp.COMPARE_EXCHANGE
}  # fmt: skip


class Invocation:
    """Writes the statements of a region for the invocation that `expressions.scope` describes."""

    def __init__(self, code: FunctionText, expressions: Expressions, memories: dict[str, str]) -> None:
        self.code, self.expressions = code, expressions
        self._memories = memories  # "buffer 0", "workgroup 7", "private 9": base addresses
        self._loops: list[tuple[str, str]] = []  # labels for (continue, break)

    def block(self, block: ir.Block) -> None:
        """Write statements up to the first that exits the block."""
        for statement in block:
            if self.code.terminated:
                return
            self.code.span = statement.span or self.code.span
            self._statement(statement)

    def _statement(self, statement: ir.Stmt) -> None:
        match statement:
            case ir.Let():
                self.bind(statement.value, self.expressions.operand(statement.expr))
            case ir.Load():
                self._load(statement)
            case ir.Store():
                self._store(statement)
            case ir.Declare():
                self.declare(statement)
            case ir.Assign():
                self.assign(statement.local, self.expressions.operand(statement.expr))
            case ir.DeclareArray():
                self._declare_array(statement.array)
            case ir.Atomic():
                self._atomic(statement)
            case ir.If():
                self._if(statement)
            case ir.ForRange():
                self._for(statement)
            case ir.Loop():
                self._loop(statement)
            case ir.Break():
                self.code.jump(self._loops[-1][1])
            case ir.Continue():
                self.code.jump(self._loops[-1][0])
            case ir.Barrier():
                raise AssertionError("a barrier is never part of a region")
            case ir.Uniform():
                raise AssertionError("emit replaces Uniform by Let")
            case ir.Debug():
                raise EmitError(
                    "GP601", "the cpu backend has no print or breakpoint", statement.span,
                    why="generated machine code cannot call Python", fix="run the kernel on the simulator",
                )  # fmt: skip
            case ir.Subgroup() | ir.Bounds():
                raise EmitError(
                    "GP601", f"the cpu backend has no native {type(statement).__name__.lower()}", statement.span,
                    why="core expresses it in other operations before it emits a kernel",
                    fix="launch the kernel, or emit it with kernel.source",
                )  # fmt: skip
            case _:
                raise self.code.missing(f"statement {type(statement).__name__}")

    # ------------------------------------------------------------ names

    def bind(self, value: ir.Value, operand: str) -> None:
        """Bind a value to an operand, and store it if it is spilled."""
        self.expressions.scope.values[value.id] = operand
        if value.id in self.expressions.scope.spilled:
            self.expressions.store_spilled(value, operand)

    def declare(self, statement: ir.Declare) -> None:
        """Open a local. Without an initial value it is undefined, so that no earlier value stays live."""
        local = statement.local
        if local.id not in self.expressions.scope.locals:
            self.open_local(local)
        if statement.init is not None:
            self.assign(local, self.expressions.operand(statement.init))
        else:
            self.code.write(f"store {memory_type(local.type)} undef, ptr {self.expressions.scope.locals[local.id]}")

    def open_local(self, local: ir.Local) -> None:
        """Allocate a local in the stack frame."""
        address = self.code.alloca(memory_type(local.type), memory_nbytes(local.type), local.name)
        self.expressions.scope.locals[local.id] = address

    def assign(self, local: ir.Local, operand: str) -> None:
        self.expressions.store(operand, local.type, self.expressions.scope.locals[local.id])

    # ------------------------------------------------------------ memory

    def _address(self, place: ir.Place) -> tuple[str, str]:
        """Address of an element, and the metadata of an access to it."""
        memory, scope = place.memory, self.expressions.scope
        index = self.expressions.index(place.index)
        match memory:
            case ir.Buffer():
                base, access = self._memories[f"buffer {memory.index}"], scope.access
            case ir.WorkgroupArray():
                base, access = self._memories[f"workgroup {memory.id}"], scope.access
            case ir.PrivateArray() if memory.id in scope.spilled:
                slot = scope.spilled[memory.id]
                base, access = slot.base, scope.access
                row = self.code.define(f"mul nsw i64 {index}, {slot.stride}")
                index = self.code.define(f"add nsw i64 {row}, {slot.index}")
            case ir.PrivateArray():
                base, access = self._memories[f"private {memory.id}"], ""
        if isinstance(memory.element, ir.StructType):
            kind, offset = f"[{memory.element.nbytes} x i8]", f", i64 {place.offset}"
        else:
            kind, offset = memory_type(memory.element), ""
        return self.code.define(f"getelementptr inbounds {kind}, ptr {base}, i64 {index}{offset}", "place"), access

    def _load(self, statement: ir.Load) -> None:
        address, access = self._address(statement.place)
        element = statement.place.type
        instruction = f"load {memory_type(element)}, ptr {address}, align {memory_nbytes(element)}{access}"
        loaded = self.code.define(instruction, statement.value.name)
        self.bind(statement.value, self.expressions.from_memory(loaded, element))

    def _store(self, statement: ir.Store) -> None:
        address, access = self._address(statement.place)
        operand = self.expressions.operand(statement.expr)
        self.expressions.store(operand, statement.place.type, address, access)

    def _declare_array(self, array: ir.PrivateArray) -> None:
        """Zero an array. If it is spilled, each element is stored contiguously for all invocations."""
        scope, code = self.expressions.scope, self.code
        nbytes = memory_nbytes(array.element)
        if array.id not in scope.spilled:
            key = f"private {array.id}"
            if key not in self._memories:
                kind = f"[{array.length} x {memory_type(array.element)}]"
                self._memories[key] = code.alloca(kind, max(16, nbytes), array.name)
            self.expressions.arithmetic.module.declare("llvm.memset.p0.i64", "void", ("ptr", "i8", "i64", "i1"))
            size = array.length * nbytes
            base = self._memories[key]
            code.write(f"call void @llvm.memset.p0.i64(ptr align {nbytes} {base}, i8 0, i64 {size}, i1 false)")
            return
        loop = code.open_loop("i64", "0", str(array.length), hint="element")
        slot = scope.spilled[array.id]
        row = code.define(f"mul nsw i64 {loop.counter}, {slot.stride}")
        index = code.define(f"add nsw i64 {row}, {slot.index}")
        kind = memory_type(array.element)
        address = code.define(f"getelementptr inbounds {kind}, ptr {slot.base}, i64 {index}")
        code.write(f"store {kind} zeroinitializer, ptr {address}, align {nbytes}{scope.access}")
        code.close_loop(loop)

    # ------------------------------------------------------------ atomics

    def _atomic(self, statement: ir.Atomic) -> None:
        """Buffers need atomic instructions. A workgroup runs on one thread, so its own arrays do not."""
        address, _ = self._address(statement.place)
        element = statement.place.type
        self._check_atomic(statement.op, element)
        operand = self.expressions.operand(statement.operand) if statement.operand is not None else ""
        comparand = self.expressions.operand(statement.comparand) if statement.comparand is not None else ""
        if statement.op is AtomicOp.STORE and statement.value is None:
            kind, align = llvm_type(element), memory_nbytes(element)
            self.code.write(f"store atomic {kind} {operand}, ptr {address} monotonic, align {align}")
            return
        write = self._shared_atomic if isinstance(statement.place.memory, ir.Buffer) else self._single_atomic
        before = write(statement.op, element, address, operand, comparand)
        if statement.value is not None:
            self.bind(statement.value, before)

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

    # ------------------------------------------------------------ control flow

    def _if(self, statement: ir.If) -> None:
        code = self.code
        condition = self.expressions.operand(statement.condition)
        then, orelse, end = code.fresh_label("then"), code.fresh_label("else"), code.fresh_label("endif")
        code.branch(condition, then, orelse if statement.orelse else end)
        code.start(then)
        self.block(statement.then)
        code.jump(end)
        if statement.orelse:
            code.start(orelse)
            self.block(statement.orelse)
        code.start(end)

    def _for(self, statement: ir.ForRange) -> None:
        start, stop = self.expressions.operand(statement.start), self.expressions.operand(statement.stop)
        counter = statement.counter
        signed = scalar_of(counter.type).is_signed
        loop = self.code.open_loop(llvm_type(counter.type), start, stop, signed=signed, hint=counter.name)
        self.bind(counter, loop.counter)
        self._loops.append((loop.next_label, loop.end_label))
        self.block(statement.body)
        self._loops.pop()
        self.code.close_loop(loop)

    def _loop(self, statement: ir.Loop) -> None:
        code = self.code
        head, end = code.fresh_label("loop"), code.fresh_label("loop_end")
        code.start(head)
        self._loops.append((head, end))
        self.block(statement.body)
        self._loops.pop()
        code.jump(head)
        code.start(end)
