"""Builds kernels as IR by hand and runs them on a device through the backend interface alone."""

from __future__ import annotations

import itertools
import struct
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from gpucore import ir
from gpucore.ir import BOOL, I32, BinaryOp, BuiltinKind, Expr, MathOp, with_scalar
from gpucore.ir.module import make_valid_module
from gpucore.runtime import Device, Mark
from gpucore.valid.slots import lay_out
from gpucore_cpu.emit import emit
from gpucore_cpu.plugin import CpuBackend

Array = npt.NDArray[Any]
_SYMBOLS = {
    "+": BinaryOp.ADD, "-": BinaryOp.SUB, "*": BinaryOp.MUL, "/": BinaryOp.DIV, "//": BinaryOp.FLOOR_DIV,
    "%": BinaryOp.FLOOR_MOD, "trunc_div": BinaryOp.TRUNC_DIV, "trunc_rem": BinaryOp.TRUNC_REM, "&": BinaryOp.BIT_AND,
    "|": BinaryOp.BIT_OR, "^": BinaryOp.BIT_XOR, "<<": BinaryOp.SHL, ">>": BinaryOp.SHR, "and": BinaryOp.AND,
    "or": BinaryOp.OR, "==": BinaryOp.EQ, "!=": BinaryOp.NE, "<": BinaryOp.LT, "<=": BinaryOp.LE, ">": BinaryOp.GT,
    ">=": BinaryOp.GE,
}  # fmt: skip
_PACK = {"bool": "I", "i32": "i", "u32": "I", "i64": "q", "u64": "Q", "f16": "e2x", "f32": "f", "f64": "d"}


def const(value: float, type: ir.ScalarType = I32) -> ir.Constant:
    return ir.Constant(value, type)


def op(left: Expr, symbol: str, right: Expr | float) -> ir.Binary:
    """A binary expression; a Python number takes the type of the left operand."""
    if isinstance(right, (int, float)):
        assert isinstance(left.type, ir.ScalarType)
        right = ir.Constant(right, left.type)
    kind = _SYMBOLS[symbol]
    return ir.Binary(kind, left, right, with_scalar(left.type, BOOL) if kind in ir.COMPARISONS else left.type)


def call(function: MathOp, *arguments: Expr, type: ir.Type | None = None) -> ir.Call:
    return ir.Call(function, arguments, type or arguments[0].type)


def local_id(axis: int = 0) -> ir.Builtin:
    return ir.Builtin(BuiltinKind.LOCAL_ID, axis)


def workgroup_id(axis: int = 0) -> ir.Builtin:
    return ir.Builtin(BuiltinKind.WORKGROUP_ID, axis)


@contextmanager
def opened_with(threads: int) -> Iterator[Device]:
    """The cpu device with a number of threads, whatever the machine has."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GPUCORE_CPU_THREADS", str(threads))
        device = CpuBackend().open(0)
    yield device
    device.close()


class Draft:
    """A kernel in the making; statements go to the innermost open block."""

    def __init__(self, *size: int) -> None:
        self.size = (*size, 1, 1, 1)[:3]
        self.buffers: list[ir.Buffer] = []
        self.params: list[ir.Param] = []
        self.origins: list[ir.Origin] = []
        self.arrays: list[ir.WorkgroupArray] = []
        self.uniform: set[int] = set()
        self._ids = itertools.count(1)
        self._blocks: list[list[ir.Stmt]] = [[]]

    # ------------------------------------------------------------ declarations

    def buffer(self, name: str, element: ir.Element) -> ir.Buffer:
        self.buffers.append(ir.Buffer(len(self.buffers), name, element, True, True))
        return self.buffers[-1]

    def param(self, name: str, type: ir.ScalarType, *, is_size: bool = False) -> ir.Param:
        self.params.append(ir.Param(len(self.params), name, type))
        self.origins.append(ir.ShapeOrigin(name, 0) if is_size else ir.ArgumentOrigin(name))
        return self.params[-1]

    def workgroup_array(self, name: str, element: ir.Type, length: int) -> ir.WorkgroupArray:
        self.arrays.append(ir.WorkgroupArray(next(self._ids), name, element, length))
        return self.arrays[-1]

    def private_array(self, name: str, element: ir.Type, length: int) -> ir.PrivateArray:
        array = ir.PrivateArray(next(self._ids), name, element, length)
        self.add(ir.DeclareArray(array))
        return array

    # ------------------------------------------------------------ statements

    def add(self, statement: ir.Stmt) -> None:
        self._blocks[-1].append(statement)

    def let(self, name: str, expr: Expr, *, uniform: bool = False) -> ir.Value:
        value = self.value(name, expr.type, uniform)
        self.add(ir.Let(value, expr))
        return value

    def uniform_let(self, name: str, expr: Expr) -> ir.Value:
        value = self.value(name, expr.type, True)
        self.add(ir.Uniform(value, expr))
        return value

    def load(self, memory: ir.Memory, index: Expr, *, uniform: bool = False, path: tuple[int, ...] = ()) -> ir.Value:
        place = ir.Place(memory, index, path)
        value = self.value(f"{memory.name}_element", place.type, uniform)
        self.add(ir.Load(value, place))
        return value

    def store(self, memory: ir.Memory, index: Expr, expr: Expr, *, path: tuple[int, ...] = ()) -> None:
        self.add(ir.Store(ir.Place(memory, index, path), expr))

    def variable(self, name: str, init: Expr | None, type: ir.Type | None = None, *, uniform: bool = False) -> ir.Local:
        kind = type or (init.type if init is not None else I32)
        local = ir.Local(next(self._ids), name, kind)
        if uniform:
            self.uniform.add(local.id)
        self.add(ir.Declare(local, init))
        return local

    def assign(self, local: ir.Local, expr: Expr) -> None:
        self.add(ir.Assign(local, expr))

    def atomic(self, kind: ir.AtomicOp, memory: ir.Memory, index: Expr, operand: Expr | None = None,
               comparand: Expr | None = None) -> ir.Value:  # fmt: skip
        value = self.value("before", ir.Place(memory, index).type)
        self.add(ir.Atomic(value, kind, ir.Place(memory, index), operand, comparand))
        return value

    def barrier(self) -> None:
        self.add(ir.Barrier())

    @contextmanager
    def block(self) -> Iterator[list[ir.Stmt]]:
        """Statements inside go to the list that this gives, and nowhere else."""
        inner: list[ir.Stmt] = []
        self._blocks.append(inner)
        yield inner
        self._blocks.pop()

    @contextmanager
    def when(self, condition: Expr) -> Iterator[None]:
        with self.block() as inner:
            yield
        self.add(ir.If(condition, tuple(inner)))

    @contextmanager
    def loop_over(self, start: Expr, stop: Expr, *, uniform: bool = True) -> Iterator[ir.Value]:
        counter = self.value("k", start.type, uniform)
        with self.block() as inner:
            yield counter
        self.add(ir.ForRange(counter, start, stop, tuple(inner)))

    @contextmanager
    def forever(self) -> Iterator[None]:
        with self.block() as inner:
            yield
        self.add(ir.Loop(tuple(inner)))

    def global_id(self, axis: int = 0) -> ir.Value:
        first = op(workgroup_id(axis), "*", self.size[axis])
        return self.let("i", op(first, "+", local_id(axis)))

    def value(self, name: str, type: ir.Type, uniform: bool = False) -> ir.Value:
        value = ir.Value(next(self._ids), name, type)
        if uniform:
            self.uniform.add(value.id)
        return value

    # ------------------------------------------------------------ proof

    def valid(self) -> ir.ValidModule:
        """The module with a proof written by hand."""
        slots, nbytes = lay_out(tuple(self.params))
        module = ir.Module(
            "kernel", self.size, tuple(self.buffers), tuple(self.params), tuple(self.origins), tuple(self.arrays),
            tuple(self._blocks[0]),
        )  # fmt: skip
        return make_valid_module(
            module, slots, nbytes, {}, frozenset(), frozenset(range(len(self.buffers))), True,
            frozenset(self.uniform),
        )  # fmt: skip


def pack(valid: ir.ValidModule, scalars: Mapping[str, float]) -> bytes:
    """The packed block of scalars."""
    block = bytearray(valid.scalars_nbytes)
    for slot in valid.slots:
        struct.pack_into("<" + _PACK[slot.param.type.name], block, slot.offset, scalars[slot.param.name])
    return bytes(block)


def finish(device: Device) -> Mark:
    """Wait until the device's queue is empty."""
    mark = device.mark()
    deadline = time.monotonic() + 30
    while not (mark.is_done() and device.is_idle()):  # a task counts as done a moment before the queue is empty
        assert time.monotonic() < deadline, "the device did not finish in 30 s"
        time.sleep(0.0001)
    return mark


def run_valid(
    device: Device,
    valid: ir.ValidModule,
    arrays: Sequence[Array],
    workgroups: Sequence[int],
    scalars: Mapping[str, float],
    uniform: frozenset[int] | None = None,
    num_lanes: int = 8,
) -> list[Array]:
    """Upload, dispatch once, download. `uniform` is given in the place of what the draft says."""
    pipeline = device.compile(emit(valid, uniform, num_lanes))
    buffers = [device.allocate(array.nbytes) for array in arrays]
    for buffer, array in zip(buffers, arrays, strict=True):
        buffer.write(memoryview(np.ascontiguousarray(array).view(np.uint8).reshape(-1)))
    x, y, z = (*workgroups, 1, 1, 1)[:3]
    device.dispatch(pipeline, buffers, pack(valid, scalars), (x, y, z))
    finish(device)
    results = [np.empty_like(array) for array in arrays]
    for buffer, result in zip(buffers, results, strict=True):
        buffer.read(memoryview(result.view(np.uint8).reshape(-1)))
        buffer.release()
    pipeline.release()
    return results


def run(
    device: Device, draft: Draft, arrays: Sequence[Array], workgroups: Sequence[int] = (1,), **scalars: float
) -> list[Array]:
    """Run a draft, with its uniform ids and without them: what is known may change the speed only."""
    valid = draft.valid()
    results = run_valid(device, valid, arrays, workgroups, scalars)
    plain = run_valid(device, valid, arrays, workgroups, scalars, uniform=frozenset())
    for one, other in zip(results, plain, strict=True):
        assert one.tobytes() == other.tobytes(), "uniformity changed the result"
    return results


def apply(device: Device, result: Any, type: ir.ScalarType, function: Any, *inputs: Array) -> Array:
    """The array of function(values of each input) for all elements; `result` and `type` tell what comes out."""
    draft = Draft(16)
    sources = [draft.buffer(f"x{n}", ELEMENTS[array.dtype.name]) for n, array in enumerate(inputs)]
    target = draft.buffer("target", type)
    size = draft.param("n", I32, is_size=True)
    i = draft.global_id()
    with draft.when(op(i, "<", size)):
        draft.store(target, i, function(*(draft.load(source, i) for source in sources)))
    count = inputs[0].size
    return run(device, draft, [*inputs, np.zeros(count, result)], [-(-count // 16)], n=count)[-1]


ELEMENTS: dict[str, ir.ScalarType] = {
    "int32": ir.I32, "uint32": ir.U32, "int64": ir.I64, "uint64": ir.U64, "float16": ir.F16, "float32": ir.F32,
    "float64": ir.F64, "int8": ir.I8, "uint8": ir.U8, "int16": ir.I16, "uint16": ir.U16,
}  # fmt: skip
