"""Builds kernels as IR by hand, for tests of emitters that must not depend on the front end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gpucore.ir import (
    BOOL,
    F32,
    I32,
    MASKS,
    U32,
    ArgumentOrigin,
    Assign,
    Atomic,
    AtomicOp,
    Barrier,
    Binary,
    BinaryOp,
    Break,
    Buffer,
    Builtin,
    BuiltinKind,
    Call,
    Constant,
    Continue,
    Declare,
    DeclareArray,
    Element,
    Expr,
    ForRange,
    If,
    Let,
    Load,
    Local,
    Loop,
    MathOp,
    Memory,
    Module,
    Param,
    Place,
    PrivateArray,
    ScalarType,
    Splat,
    Stmt,
    Store,
    Subgroup,
    SubgroupOp,
    Type,
    Unary,
    UnaryOp,
    Uniform,
    ValidModule,
    Value,
    VectorType,
    WorkgroupArray,
    walk,
    with_scalar,
)
from gpucore.ir.module import make_valid_module
from gpucore.span import Span
from gpucore.valid.slots import lay_out

_COMPARISONS = {BinaryOp.EQ, BinaryOp.NE, BinaryOp.LT, BinaryOp.LE, BinaryOp.GT, BinaryOp.GE}
_PAIRS = {
    "+": BinaryOp.ADD, "-": BinaryOp.SUB, "*": BinaryOp.MUL, "/": BinaryOp.DIV, "//": BinaryOp.FLOOR_DIV,
    "%": BinaryOp.FLOOR_MOD, "div_trunc": BinaryOp.TRUNC_DIV, "rem": BinaryOp.TRUNC_REM, "&": BinaryOp.BIT_AND,
    "|": BinaryOp.BIT_OR, "^": BinaryOp.BIT_XOR, "<<": BinaryOp.SHL, ">>": BinaryOp.SHR, "and": BinaryOp.AND,
    "or": BinaryOp.OR, "==": BinaryOp.EQ, "!=": BinaryOp.NE, "<": BinaryOp.LT, "<=": BinaryOp.LE, ">": BinaryOp.GT,
    ">=": BinaryOp.GE,
}  # fmt: skip


def constant(value: float, type: ScalarType = I32) -> Constant:
    return Constant(value, type)


def binary(left: Expr, symbol: str, right: Expr | int | float) -> Binary:
    """A binary expression; a Python number takes the left operand's type."""
    if isinstance(right, (int, float)):
        assert isinstance(left.type, ScalarType)
        right = Constant(float(right) if left.type.is_float else right, left.type)
    op = _PAIRS[symbol]
    return Binary(op, left, right, with_scalar(left.type, BOOL) if op in _COMPARISONS else left.type)


def unary(op: UnaryOp, operand: Expr) -> Unary:
    return Unary(op, operand, operand.type)


def call(op: MathOp, *args: Expr, type: Type | None = None) -> Call:
    return Call(op, args, type or args[0].type)


def splat(value: Expr, width: int) -> Splat:
    assert isinstance(value.type, ScalarType)
    return Splat(value, VectorType(value.type, width))


def builtin(kind: BuiltinKind, axis: int = 0) -> Builtin:
    return Builtin(kind, axis)


class KernelBuilder:
    """Collects one kernel; statements go to the innermost open block."""

    def __init__(self, name: str, workgroup_size: tuple[int, int, int] = (64, 1, 1)) -> None:
        self.name, self.workgroup_size = name, workgroup_size
        self.span: Span | None = None
        self.buffers: list[Buffer] = []
        self.params: list[Param] = []
        self.arrays: list[WorkgroupArray] = []
        self._blocks: list[list[Stmt]] = [[]]
        self._id = 0

    def _next(self) -> int:
        self._id += 1
        return self._id

    def add(self, statement: Stmt) -> None:
        self._blocks[-1].append(statement)

    def buffer(self, name: str, element: Element = I32, mode: str = "inout") -> Buffer:
        self.buffers.append(Buffer(len(self.buffers), name, element, mode != "out", mode != "in"))
        return self.buffers[-1]

    def param(self, name: str, type: ScalarType = I32) -> Param:
        self.params.append(Param(len(self.params), name, type))
        return self.params[-1]

    def workgroup_array(self, name: str, element: Type, length: int) -> WorkgroupArray:
        self.arrays.append(WorkgroupArray(self._next(), name, element, length))
        return self.arrays[-1]

    def private_array(self, name: str, element: Type, length: int) -> PrivateArray:
        array = PrivateArray(self._next(), name, element, length)
        self.add(DeclareArray(array, self.span))
        return array

    def value(self, name: str, type: Type) -> Value:
        return Value(self._next(), name, type)

    def let(self, name: str, expr: Expr) -> Value:
        value = self.value(name, expr.type)
        self.add(Let(value, expr, self.span))
        return value

    def uniform(self, name: str, expr: Expr) -> Value:
        value = self.value(name, expr.type)
        self.add(Uniform(value, expr, self.span))
        return value

    def subgroup(
        self, op: SubgroupOp, operand: Expr | None = None, argument: Expr | None = None, bits: int = 0
    ) -> Value:
        truths = (SubgroupOp.ANY, SubgroupOp.ALL, SubgroupOp.ELECT)
        type = BOOL if operand is None or op in truths else operand.type
        value = self.value(op.value, VectorType(U32, 4) if op in MASKS else type)
        self.add(Subgroup(value, op, operand, argument, self.span, bits))
        return value

    def load(self, memory: Memory, index: Expr, name: str = "", path: tuple[int, ...] = ()) -> Value:
        place = Place(memory, index, path)
        value = self.value(name or f"{memory.name}_value", place.type)
        self.add(Load(value, place, self.span))
        return value

    def store(self, memory: Memory, index: Expr, expr: Expr, path: tuple[int, ...] = ()) -> None:
        self.add(Store(Place(memory, index, path), expr, self.span))

    def declare(self, name: str, init: Expr | None, type: Type | None = None) -> Local:
        local = Local(self._next(), name, type or (init.type if init is not None else I32))
        self.add(Declare(local, init, self.span))
        return local

    def assign(self, local: Local, expr: Expr) -> None:
        self.add(Assign(local, expr, self.span))

    def atomic(
        self,
        op: AtomicOp,
        memory: Memory,
        index: Expr,
        operand: Expr | None = None,
        comparand: Expr | None = None,
        path: tuple[int, ...] = (),
    ) -> Value:
        place = Place(memory, index, path)
        value = self.value("old", place.type)
        self.add(Atomic(value, op, place, operand, comparand, self.span))
        return value

    def barrier(self, buffers: bool = True) -> None:
        self.add(Barrier(self.span, buffers))

    def leave(self) -> None:
        self.add(Break(self.span))

    def skip(self) -> None:
        self.add(Continue(self.span))

    @contextmanager
    def _block(self) -> Iterator[list[Stmt]]:
        self._blocks.append([])
        yield self._blocks[-1]
        self._blocks.pop()

    @contextmanager
    def when(self, condition: Expr) -> Iterator[None]:
        with self._block() as body:
            yield
        self.add(If(condition, tuple(body), (), self.span))

    @contextmanager
    def repeat(self, name: str, start: Expr, stop: Expr) -> Iterator[Value]:
        counter = self.value(name, start.type)
        with self._block() as body:
            yield counter
        self.add(ForRange(counter, start, stop, tuple(body), self.span))

    @contextmanager
    def loop(self) -> Iterator[None]:
        with self._block() as body:
            yield
        self.add(Loop(tuple(body), self.span))

    def global_id(self, axis: int = 0) -> Value:
        """`workgroup_id * workgroup_size + local_id`, bound to `i`."""
        first = binary(builtin(BuiltinKind.WORKGROUP_ID, axis), "*", self.workgroup_size[axis])
        return self.let("i", binary(first, "+", builtin(BuiltinKind.LOCAL_ID, axis)))

    def valid(self) -> ValidModule:
        """The kernel with the facts that validation would find."""
        body = tuple(self._blocks[0])
        module = Module(
            self.name,
            self.workgroup_size,
            tuple(self.buffers),
            tuple(self.params),
            tuple(ArgumentOrigin(param.name) for param in self.params),
            tuple(self.arrays),
            body,
            self.span,
        )
        slots, size = lay_out(tuple(self.params))
        statements = list(walk.statements(body))
        return make_valid_module(
            module=module,
            slots=slots,
            scalars_nbytes=size,
            needs={},
            atomic_memories=frozenset(s.place.memory for s in statements if isinstance(s, Atomic)),
            written_buffers=frozenset(
                s.place.memory.index
                for s in statements
                if isinstance(s, (Store, Atomic)) and isinstance(s.place.memory, Buffer)
            ),
            barrier_orders_buffers=any(isinstance(s, Barrier) and s.buffers for s in statements),
        )


def saxpy() -> ValidModule:
    """`y[i] = a * x[i] + y[i]` for i < n."""
    kernel = KernelBuilder("saxpy", (256, 1, 1))
    x, y = kernel.buffer("x", F32, "in"), kernel.buffer("y", F32)
    a, n = kernel.param("a", F32), kernel.param("n")
    i = kernel.global_id()
    with kernel.when(binary(i, "<", n)):
        x_value, y_value = kernel.load(x, i), kernel.load(y, i)
        kernel.store(y, i, binary(binary(a, "*", x_value), "+", y_value))
    return kernel.valid()


def workgroup_sum() -> ValidModule:
    """`y[workgroup] = sum of 64 elements of x`, through workgroup memory."""
    kernel = KernelBuilder("workgroup_sum", (64, 1, 1))
    x, y = kernel.buffer("x", F32, "in"), kernel.buffer("y", F32, "out")
    tile = kernel.workgroup_array("tile", F32, 64)
    lane = kernel.let("lane", builtin(BuiltinKind.LOCAL_ID))
    kernel.store(tile, lane, kernel.load(x, kernel.global_id()))
    kernel.barrier()
    stride = kernel.declare("stride", constant(32))
    with kernel.loop():
        with kernel.when(binary(stride, "==", 0)):
            kernel.leave()
        with kernel.when(binary(lane, "<", stride)):
            mine, other = kernel.load(tile, lane, "mine"), kernel.load(tile, binary(lane, "+", stride), "other")
            kernel.store(tile, lane, binary(mine, "+", other))
        kernel.barrier()
        kernel.assign(stride, binary(stride, ">>", 1))
    with kernel.when(binary(lane, "==", 0)):
        kernel.store(y, builtin(BuiltinKind.WORKGROUP_ID), kernel.load(tile, constant(0), "total"))
    return kernel.valid()
