"""Every way in which a kernel makes a 64-bit integer: the type rules are asked about every operation.

A producer is a function that adds statements to a kernel, where it needs some, and returns the integer.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import partial

from gpucore import ir
from gpucore.ir import BOOL, F16, I32, SCALARS, U32, AtomicOp, BinaryOp, BuiltinKind, MathOp, UnaryOp, build
from gpucore.valid.types import is_well_typed

GROUP = 16  # invocations of the one workgroup; each takes a row of the inputs
ROW = ir.Builtin(BuiltinKind.LOCAL_ID, 0)
INPUTS = tuple(scalar for scalar in SCALARS if scalar not in (BOOL, F16))  # the types of the columns of a row


class Kernel:
    """A kernel under construction."""

    def __init__(self) -> None:
        self.body: list[ir.Stmt] = []
        self.buffers: list[ir.Buffer] = []
        self.arrays: list[ir.WorkgroupArray] = []
        self.columns: dict[tuple[ir.ScalarType, int], ir.Value] = {}
        self.ids = itertools.count(1)

    def value(self, type: ir.Type) -> ir.Value:
        return ir.Value(next(self.ids), "v", type)

    def buffer(self, name: str, element: ir.ScalarType, writable: bool = False) -> ir.Buffer:
        self.buffers.append(ir.Buffer(len(self.buffers), name, element, True, writable))
        return self.buffers[-1]

    def load(self, memory: ir.Memory, index: ir.Expr) -> ir.Value:
        place = ir.Place(memory, index)
        value = self.value(place.type)
        self.body.append(ir.Load(value, place))
        return value

    def store(self, memory: ir.Memory, index: ir.Expr, expr: ir.Expr) -> None:
        self.body.append(ir.Store(ir.Place(memory, index), expr))

    def column(self, type: ir.ScalarType, number: int = 0) -> ir.Expr:
        """The row's value of a type, in the first or the second column of it."""
        if type not in INPUTS:
            return ir.Convert(self.column(I32 if type == BOOL else ir.F32, number), type)
        if (type, number) not in self.columns:
            self.columns[type, number] = self.load(self.buffer(f"{type}_{number}", type), ROW)
        return self.columns[type, number]

    def operands(self, type: ir.ScalarType, count: int) -> list[ir.Expr]:
        """The row's columns of a type, in turn."""
        return [self.column(type, number % 2) for number in range(count)]

    def module(self) -> ir.Module:
        return ir.Module("wide", (GROUP, 1, 1), tuple(self.buffers), (), (), tuple(self.arrays), tuple(self.body))


Producer = Callable[[Kernel], ir.Expr]


def producers(wide: ir.ScalarType) -> dict[str, Producer]:
    """All that give a `wide`, by name."""
    found: dict[str, Producer] = {"load": lambda kernel: kernel.column(wide)}
    for group in (_operations, _conversions, _bounded, _statements):
        found.update(group(wide))
    return found


def _operations(wide: ir.ScalarType) -> Iterator[tuple[str, Producer]]:
    """Operators and functions, of every type of operand with which they give `wide`."""
    for source in SCALARS:
        leaf = ir.Value(0, "leaf", source)
        for op in (*UnaryOp, *BinaryOp, *MathOp):
            for count in _arities(op):
                expr = _apply(op, [leaf] * count)
                if expr.type == wide and is_well_typed(expr):
                    yield f"{op.name}_{source}", partial(_operation, op, source, count)
    yield "select", lambda k: ir.Select(build.lt(*k.operands(wide, 2)), *k.operands(wide, 2), wide)
    low, high = build.constant(64, wide), build.constant(2**32, wide)
    yield "select_constants", lambda k: ir.Select(build.lt(*k.operands(wide, 2)), low, high, wide)


def _arities(op: object) -> tuple[int, ...]:
    return (1, 2, 3) if isinstance(op, MathOp) else (2,) if isinstance(op, BinaryOp) else (1,)


def _operation(op: object, source: ir.ScalarType, count: int, kernel: Kernel) -> ir.Expr:
    return _apply(op, kernel.operands(source, count))


def _apply(op: object, operands: list[ir.Expr]) -> ir.Expr:
    if isinstance(op, UnaryOp):
        return build.unary(op, *operands)
    if isinstance(op, BinaryOp):
        return build.binary(op, *operands)
    assert isinstance(op, MathOp)
    return build.call(op, *operands)


def _conversions(wide: ir.ScalarType) -> Iterator[tuple[str, Producer]]:
    for source in SCALARS:
        yield f"convert_{source}", lambda k, source=source: ir.Convert(k.column(source), wide)
        if is_well_typed(ir.Bitcast(ir.Value(0, "leaf", source), wide)):
            yield f"bitcast_{source}", lambda k, source=source: ir.Bitcast(k.column(source), wide)
    pair = ir.VectorType(U32, 2)
    yield "bitcast_pair", lambda k: ir.Bitcast(ir.Construct(tuple(k.operands(U32, 2)), pair), wide)
    for narrow in (I32, U32):
        yield f"component_{narrow}", lambda k, narrow=narrow: ir.Convert(_component(k, narrow), wide)


def _component(kernel: Kernel, narrow: ir.ScalarType) -> ir.Expr:
    vector = ir.VectorType(narrow, 2)
    pair = ir.Construct(tuple(kernel.operands(narrow, 2)), vector)
    return ir.Extract(build.add(pair, pair), 1, narrow)


def _bounded(wide: ir.ScalarType) -> Iterator[tuple[str, Producer]]:
    """What a compiler knows to be small: it may compare such values in fewer bits."""
    counts = {"SHR": (33, 63), "SHL": (40,), "BIT_AND": (255,), "FLOOR_MOD": (10,), "TRUNC_REM": (7,)}
    for name, constants in counts.items():
        for number in constants:
            yield (
                f"{name}_by_{number}",
                lambda k, op=BinaryOp[name], number=number: build.binary(op, k.column(wide), number),
            )
    for narrow in (I32, U32):
        for op in (MathOp.POPCOUNT, MathOp.CLZ, MathOp.CTZ):
            yield (
                f"converted_{op.name}_{narrow}",
                lambda k, op=op, narrow=narrow: ir.Convert(build.call(op, k.column(narrow)), wide),
            )
    yield "converted_id", lambda k: ir.Convert(ROW, wide)
    yield "converted_mask", lambda k: ir.Convert(build.bit_and(k.column(U32), 63), wide)
    yield "narrowed", lambda k: ir.Convert(ir.Convert(k.column(wide), I32), wide)


def _statements(wide: ir.ScalarType) -> Iterator[tuple[str, Producer]]:
    for make in (_variable, _loop, _counter, _private, _workgroup):
        yield make.__name__.strip("_"), partial(make, wide)
    for op in AtomicOp:
        if op is not AtomicOp.STORE:  # which gives nothing
            yield f"atomic_{op.value}", partial(_atomic, op, wide)


def _local(wide: ir.ScalarType, kernel: Kernel) -> ir.Local:
    local = ir.Local(next(kernel.ids), "total", wide)
    kernel.body.append(ir.Declare(local, kernel.column(wide)))
    return local


def _variable(wide: ir.ScalarType, kernel: Kernel) -> ir.Expr:
    local = _local(wide, kernel)
    a, b = kernel.operands(wide, 2)
    kernel.body.append(ir.If(build.lt(a, b), (ir.Assign(local, b),)))
    return local


def _loop(wide: ir.ScalarType, kernel: Kernel) -> ir.Expr:
    local = _local(wide, kernel)
    step = ir.Assign(local, build.add(build.mul(local, 5), kernel.column(wide, 1)))
    stop = build.bit_and(ROW, 7)
    kernel.body.append(ir.ForRange(kernel.value(I32), build.constant(0, I32), stop, (step,)))
    return local


def _counter(wide: ir.ScalarType, kernel: Kernel) -> ir.Expr:
    """The last value of a counter from 2**31 - 2 on."""
    local, counter = _local(wide, kernel), kernel.value(wide)
    start, stop = build.constant(2**31 - 2, wide), build.add(ir.Convert(build.bit_and(ROW, 7), wide), 2**31 - 2)
    kernel.body.append(ir.ForRange(counter, start, stop, (ir.Assign(local, counter),)))
    return local


def _private(wide: ir.ScalarType, kernel: Kernel) -> ir.Expr:
    array = ir.PrivateArray(next(kernel.ids), "private", wide, 4)
    kernel.body.append(ir.DeclareArray(array))
    index = build.bit_and(kernel.column(U32), 3)
    kernel.store(array, index, kernel.column(wide))
    return kernel.load(array, build.bit_and(kernel.column(U32, 1), 3))


def _workgroup(wide: ir.ScalarType, kernel: Kernel) -> ir.Expr:
    array = ir.WorkgroupArray(next(kernel.ids), "shared", wide, GROUP)
    kernel.arrays.append(array)
    kernel.store(array, ROW, kernel.column(wide))
    kernel.body.append(ir.Barrier())
    return kernel.load(array, build.bit_xor(ROW, 1))


def _atomic(op: AtomicOp, wide: ir.ScalarType, kernel: Kernel) -> ir.Expr:
    """Each invocation on an element of its own, twice: the second gives what the first has made."""
    array = ir.WorkgroupArray(next(kernel.ids), "atomics", wide, GROUP)
    kernel.arrays.append(array)
    a, b = kernel.operands(wide, 2)
    place = ir.Place(array, ROW)
    kernel.body.append(ir.Atomic(None, AtomicOp.STORE, place, a))
    operand = None if op is AtomicOp.LOAD else b
    comparand = a if op is AtomicOp.COMPARE_EXCHANGE else None
    value = kernel.value(wide)
    kernel.body.append(ir.Atomic(kernel.value(wide), op, place, operand, comparand))
    kernel.body.append(ir.Atomic(value, op, place, operand, comparand))
    return value
