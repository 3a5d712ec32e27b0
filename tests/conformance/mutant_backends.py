"""A correct backend around the simulator, and backends that each break one rule of the contract.

A mutant of the device overrides calls of `WrappedDevice` or `WrappedBuffer`; a mutant of the language rewrites the IR
before the simulator emits it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

from gpucore import ir
from gpucore.errors import BackendUnavailableError, OutOfMemoryError
from gpucore.ir import walk
from gpucore.runtime import Backend, Buffer, Device, DeviceInfo, Mark, Pipeline, ProbeResult, ProbeStatus, Source
from gpucore.simulator.device import SimulatorDevice, device_info
from gpucore.simulator.plugin import SimulatorBackend

Grid = tuple[int, int, int]


class WrappedBuffer(Buffer):
    """A buffer of the simulator."""

    def __init__(self, inner: Buffer) -> None:
        self.inner = inner
        self.nbytes = inner.nbytes

    def write(self, data: memoryview, offset: int = 0) -> None:
        self.inner.write(data, offset)

    def read(self, out: memoryview, offset: int = 0) -> None:
        self.inner.read(out, offset)

    def release(self) -> None:
        self.inner.release()


class WrappedDevice(Device):
    """A device of the simulator under another name."""

    buffer_class: type[WrappedBuffer] = WrappedBuffer

    def __init__(self, info: DeviceInfo) -> None:
        self.info = info
        self.inner = SimulatorDevice()

    def allocate(self, nbytes: int) -> Buffer:
        return self.buffer_class(self.inner.allocate(nbytes))

    def compile(self, source: Source) -> Pipeline:
        return self.inner.compile(source)

    def dispatch(self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: Grid) -> None:
        self.inner.dispatch(pipeline, [_inner(buffer) for buffer in buffers], scalars, workgroups)

    def copy(self, source: Buffer, target: Buffer, nbytes: int) -> None:
        self.inner.copy(_inner(source), _inner(target), nbytes)

    def mark(self) -> Mark:
        return self.inner.mark()

    def elapsed(self, start: Mark, end: Mark) -> float:
        return self.inner.elapsed(start, end)

    def close(self) -> None:
        self.inner.close()


def _inner(buffer: Buffer) -> Any:
    assert isinstance(buffer, WrappedBuffer)
    return buffer.inner


class WrappedBackend(Backend):
    """The simulator as a backend of another name, with a device of `device_class` and IR changed by `rewrite`."""

    priority = 1
    wants_unoptimised_ir = True

    def __init__(
        self,
        name: str,
        device_class: type[WrappedDevice] = WrappedDevice,
        rewrite: Callable[[ir.Module], ir.Module] | None = None,
        emit: Callable[[Source], Source] | None = None,
    ) -> None:
        self.name, self.language = name, f"{name}_python"
        self.capabilities = SimulatorBackend.capabilities
        self._device_class, self._rewrite, self._emit = device_class, rewrite, emit
        self._simulator = SimulatorBackend()

    def info(self) -> DeviceInfo:
        """The simulator's facts under this name."""
        return dataclasses.replace(device_info(), id=f"{self.name}:0", backend=self.name)

    def probe(self) -> ProbeResult:
        return ProbeResult(ProbeStatus.AVAILABLE, (self.info(),))

    def open(self, index: int) -> Device:
        if index != 0:
            raise BackendUnavailableError(f"{self.name} has no device {index}")
        return self._device_class(self.info())

    def emit(self, module: ir.ValidModule, device: DeviceInfo | None = None) -> Source:
        if self._rewrite is not None:
            module = dataclasses.replace(module, module=self._rewrite(module.module))
        source = dataclasses.replace(self._simulator.emit(module), language=self.language)
        return self._emit(source) if self._emit else source


# ---------------------------------------------------------------- mutants of the device


class IgnoresLastWorkgroup(WrappedDevice):
    def dispatch(self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: Grid) -> None:
        super().dispatch(pipeline, buffers, scalars, (max(1, workgroups[0] - 1), *workgroups[1:]))


class SwapsAxes(WrappedDevice):
    def dispatch(self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: Grid) -> None:
        x, y, z = workgroups
        super().dispatch(pipeline, buffers, scalars, (y, x, z))


class IgnoresDepth(WrappedDevice):
    def dispatch(self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: Grid) -> None:
        super().dispatch(pipeline, buffers, scalars, (*workgroups[:2], 1))


class SwapsBuffers(WrappedDevice):
    def dispatch(self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: Grid) -> None:
        swapped = [buffers[1], buffers[0], *buffers[2:]] if len(buffers) > 2 else buffers
        super().dispatch(pipeline, swapped, scalars, workgroups)


class ShiftsScalars(WrappedDevice):
    """Packs scalars without the gaps: everything lies one word early."""

    def dispatch(self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: Grid) -> None:
        super().dispatch(pipeline, buffers, scalars[4:] + scalars[:4], workgroups)


class _Queued(WrappedDevice):
    """Queues dispatches; `flush` runs them. What else is called sees to it that they have run."""

    def __init__(self, info: DeviceInfo) -> None:
        super().__init__(info)
        self.queue: list[Callable[[], None]] = []

    def dispatch(self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: Grid) -> None:
        run = super().dispatch
        self.queue.append(lambda: run(pipeline, buffers, scalars, workgroups))

    def flush(self) -> None:
        for work in self.queue:
            work()
        self.queue.clear()

    def copy(self, source: Buffer, target: Buffer, nbytes: int) -> None:
        self.flush()
        super().copy(source, target, nbytes)

    def mark(self) -> Mark:
        self.flush()
        return super().mark()


class UnorderedDispatches(_Queued):
    def flush(self) -> None:
        self.queue.reverse()
        super().flush()


class WritesOvertakeDispatches(_Queued):
    """Correct for dispatches and copies; a write goes to the buffer at once, before work that was queued earlier."""


class SharesScalars(_Queued):
    """One block of scalars for all dispatches that wait: the last one's."""

    def dispatch(self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: Grid) -> None:
        self.latest = scalars
        run = WrappedDevice.dispatch
        self.queue.append(lambda: run(self, pipeline, buffers, self.latest, workgroups))


class MarksDoneEarly(_Queued):
    """A mark says that it is done while the work before it still waits for the next call."""

    def mark(self) -> Mark:
        return WrappedDevice.mark(self)

    def dispatch(self, pipeline: Pipeline, buffers: Sequence[Buffer], scalars: bytes, workgroups: Grid) -> None:
        self.flush()
        super().dispatch(pipeline, buffers, scalars, workgroups)


class CopiesLate(WrappedDevice):
    """Copies run at the next mark."""

    def __init__(self, info: DeviceInfo) -> None:
        super().__init__(info)
        self.copies: list[tuple[Buffer, Buffer, int]] = []

    def copy(self, source: Buffer, target: Buffer, nbytes: int) -> None:
        self.copies.append((source, target, nbytes))

    def mark(self) -> Mark:
        for source, target, nbytes in self.copies:
            super().copy(source, target, nbytes)
        self.copies.clear()
        return super().mark()


class CopiesWholeBuffers(WrappedDevice):
    def copy(self, source: Buffer, target: Buffer, nbytes: int) -> None:
        super().copy(source, target, min(source.nbytes, target.nbytes))


class CopiesWords(WrappedDevice):
    def copy(self, source: Buffer, target: Buffer, nbytes: int) -> None:
        super().copy(source, target, nbytes // 4 * 4)


class ElapsedInMilliseconds(WrappedDevice):
    def elapsed(self, start: Mark, end: Mark) -> float:
        return 1000 * super().elapsed(start, end)


class ElapsedBackwards(WrappedDevice):
    def elapsed(self, start: Mark, end: Mark) -> float:
        return super().elapsed(end, start)


class ClosesOnce(WrappedDevice):
    is_closed = False

    def close(self) -> None:
        if self.is_closed:
            raise RuntimeError("closed already")
        self.is_closed = True


class RunsOutOfMemoryOnce(WrappedDevice):
    """After an allocation that failed nothing works any more."""

    is_broken = False

    def allocate(self, nbytes: int) -> Buffer:
        if self.is_broken:
            raise OutOfMemoryError("no memory since the last failure")
        try:
            return super().allocate(nbytes)
        except OutOfMemoryError:
            self.is_broken = True
            raise


class RaisesPythonsMemoryError(WrappedDevice):
    def allocate(self, nbytes: int) -> Buffer:
        try:
            return super().allocate(nbytes)
        except OutOfMemoryError as error:
            raise MemoryError(str(error)) from error


class CompileErrorOfDriver(WrappedDevice):
    def compile(self, source: Source) -> Pipeline:
        if source.payload is None:
            raise RuntimeError("the driver's own exception")
        return super().compile(source)


# ---------------------------------------------------------------- mutants of the buffer


class DropsLastByte(WrappedBuffer):
    def write(self, data: memoryview, offset: int = 0) -> None:
        super().write(data[: max(1, data.nbytes - 1)], offset)


class IgnoresWriteOffset(WrappedBuffer):
    def write(self, data: memoryview, offset: int = 0) -> None:
        super().write(data, 0)


class IgnoresReadOffset(WrappedBuffer):
    def read(self, out: memoryview, offset: int = 0) -> None:
        super().read(out, 0)


class ReadsStaleData(WrappedBuffer):
    """The first read of the whole buffer is kept and given again."""

    kept: bytes | None = None

    def read(self, out: memoryview, offset: int = 0) -> None:
        if self.kept is None:
            everything = bytearray(self.nbytes)
            super().read(memoryview(everything))
            self.kept = bytes(everything)
        out.cast("B")[:] = self.kept[offset : offset + out.nbytes]


class KeepsCallersData(WrappedBuffer):
    """Writes when the buffer is read next, from memory that belongs to the caller."""

    pending: tuple[memoryview, int] | None = None

    def write(self, data: memoryview, offset: int = 0) -> None:
        self._apply()
        self.pending = (data, offset)

    def read(self, out: memoryview, offset: int = 0) -> None:
        self._apply()
        super().read(out, offset)

    def _apply(self) -> None:
        if self.pending is not None:
            super().write(*self.pending)
            self.pending = None


class RoundsSizeUp(WrappedBuffer):
    def __init__(self, inner: Buffer) -> None:
        super().__init__(inner)
        self.nbytes = -(-inner.nbytes // 16) * 16


class ReleasesOnce(WrappedBuffer):
    is_released = False

    def release(self) -> None:
        if self.is_released:
            raise RuntimeError("released already")
        self.is_released = True


def with_buffers(buffer_class: type[WrappedBuffer]) -> type[WrappedDevice]:
    """A device whose buffers are of that class."""
    return type(f"DeviceOf{buffer_class.__name__}", (WrappedDevice,), {"buffer_class": buffer_class})


# ---------------------------------------------------------------- mutants of the language


def rewriting(change: Callable[[ir.Expr], ir.Expr]) -> Callable[[ir.Module], ir.Module]:
    """A rewrite of every expression of a module."""

    def rewrite(module: ir.Module) -> ir.Module:
        return dataclasses.replace(module, body=walk.map_block(module.body, lambda expr: walk.map_expr(expr, change)))

    return rewrite


def swapping(old: ir.BinaryOp, new: ir.BinaryOp) -> Callable[[ir.Module], ir.Module]:
    """One binary operator in place of another."""

    def change(expr: ir.Expr) -> ir.Expr:
        if isinstance(expr, ir.Binary) and expr.op is old:
            return ir.Binary(new, expr.left, expr.right, expr.type)
        return expr

    return rewriting(change)


def minimum_with_nan(expr: ir.Expr) -> ir.Expr:
    """min(a, b) as `a < b ? a : b`, which gives b for a NaN on either side."""
    if isinstance(expr, ir.Call) and expr.op is ir.MathOp.MIN and expr.type == ir.F32:
        a, b = expr.args
        return ir.Select(ir.Binary(ir.BinaryOp.LT, a, b, ir.BOOL), a, b, ir.F32)
    return expr


def rounding_half_up(expr: ir.Expr) -> ir.Expr:
    if isinstance(expr, ir.Call) and expr.op is ir.MathOp.ROUND and expr.type == ir.F32:
        return ir.Call(
            ir.MathOp.FLOOR, (ir.Binary(ir.BinaryOp.ADD, expr.args[0], ir.Constant(0.5, ir.F32), ir.F32),), ir.F32
        )
    return expr


def wrapping_conversion(expr: ir.Expr) -> ir.Expr:
    """Float to i32 through i64: large numbers wrap instead of saturating."""
    if isinstance(expr, ir.Convert) and expr.type == ir.I32 and expr.operand.type == ir.F32:
        return ir.Convert(ir.Convert(expr.operand, ir.I64), ir.I32)
    return expr


def vanishing_shift(expr: ir.Expr) -> ir.Expr:
    """x << y is 0 where y is not below the width, as hardware without a mask has it."""
    if isinstance(expr, ir.Binary) and expr.op is ir.BinaryOp.SHL and expr.type == ir.U32:
        beyond = ir.Binary(ir.BinaryOp.GE, expr.right, ir.Constant(32, ir.U32), ir.BOOL)
        return ir.Select(beyond, ir.Constant(0, ir.U32), expr, ir.U32)
    return expr


def not_as_reversed_comparison(expr: ir.Expr) -> ir.Expr:
    """not (a < b) as a >= b, which differs with NaN."""
    if (
        isinstance(expr, ir.Unary)
        and expr.op is ir.UnaryOp.NOT
        and isinstance(expr.operand, ir.Binary)
        and expr.operand.op is ir.BinaryOp.LT
    ):
        return ir.Binary(ir.BinaryOp.GE, expr.operand.left, expr.operand.right, ir.BOOL)
    return expr


def flushing_bitcast(expr: ir.Expr) -> ir.Expr:
    """A bitcast to f32 gives 0 for subnormals."""
    if isinstance(expr, ir.Bitcast) and expr.type == ir.F32 and _is_scalar(expr.operand):
        magnitude = ir.Call(ir.MathOp.ABS, (expr,), ir.F32)
        is_tiny = ir.Binary(ir.BinaryOp.LT, magnitude, ir.Constant(2.0**-126, ir.F32), ir.BOOL)
        return ir.Select(is_tiny, ir.Constant(0.0, ir.F32), expr, ir.F32)
    return expr


def _is_scalar(expr: ir.Expr) -> bool:
    return isinstance(expr.type, ir.ScalarType)


def _mapped_statements(module: ir.Module, change: Callable[[ir.Stmt], ir.Stmt | None]) -> ir.Module:
    def on_block(block: ir.Block) -> ir.Block:
        changed = [change(walk.map_statement(statement, lambda expr: expr, on_block)) for statement in block]
        return tuple(statement for statement in changed if statement is not None)

    return dataclasses.replace(module, body=on_block(module.body))


def without_barriers(module: ir.Module) -> ir.Module:
    return _mapped_statements(module, lambda statement: None if isinstance(statement, ir.Barrier) else statement)


def atomic_exchange_as_or(module: ir.Module) -> ir.Module:
    def change(statement: ir.Stmt) -> ir.Stmt:
        if isinstance(statement, ir.Atomic) and statement.op is ir.AtomicOp.EXCHANGE:
            return dataclasses.replace(statement, op=ir.AtomicOp.OR)
        return statement

    return _mapped_statements(module, change)


def continue_as_break(module: ir.Module) -> ir.Module:
    return _mapped_statements(module, lambda statement: ir.Break() if isinstance(statement, ir.Continue) else statement)


def loop_one_too_far(module: ir.Module) -> ir.Module:
    """A loop that tests its counter with <= leaves nothing out where the stop is INT_MAX, and one too many
    elsewhere."""

    def change(statement: ir.Stmt) -> ir.Stmt:
        if isinstance(statement, ir.ForRange) and isinstance(statement.stop.type, ir.ScalarType):
            one = ir.Constant(1, statement.stop.type)
            return dataclasses.replace(
                statement, stop=ir.Binary(ir.BinaryOp.ADD, statement.stop, one, statement.stop.type)
            )
        return statement

    return _mapped_statements(module, change)


_texts = iter(range(10**9))


def counting_text(source: Source) -> Source:
    """A number in the text that is never the same."""
    return dataclasses.replace(source, text=f"{source.text}# {next(_texts)}\n")


def forgetting_writes(source: Source) -> Source:
    return dataclasses.replace(source, writes=tuple(True for _ in source.writes))
