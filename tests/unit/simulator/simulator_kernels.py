"""Kernels built by hand, and a way to run them on the simulator through the backend's own interface."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from gpucore import ir
from gpucore.ir import BinaryOp, BuiltinKind
from gpucore.ir.build import binary
from gpucore.ir.module import make_valid_module
from gpucore.runtime import Source
from gpucore.simulator.plugin import SimulatorBackend
from gpucore.span import Span

LISTING = str(Path(__file__).with_name("listing.py"))


class Draft:
    """A kernel in the making. Ids count up; `run` gives each buffer an array and returns what is in them after."""

    def __init__(self, name: str = "kernel", workgroup_size: tuple[int, int, int] = (1, 1, 1)) -> None:
        self.name, self.workgroup_size = name, workgroup_size
        self.span: Span | None = None
        self._ids = itertools.count(1)
        self._buffers: list[ir.Buffer] = []
        self._params: list[ir.Param] = []
        self._arrays: list[ir.WorkgroupArray] = []

    def buffer(self, name: str, element: ir.Type) -> ir.Buffer:
        self._buffers.append(ir.Buffer(len(self._buffers), name, element, readable=True, writable=True))
        return self._buffers[-1]

    def param(self, name: str, type: ir.ScalarType) -> ir.Param:
        self._params.append(ir.Param(len(self._params), name, type))
        return self._params[-1]

    def workgroup_array(self, name: str, element: ir.Type, length: int) -> ir.WorkgroupArray:
        self._arrays.append(ir.WorkgroupArray(next(self._ids), name, element, length))
        return self._arrays[-1]

    def private_array(self, name: str, element: ir.Type, length: int) -> ir.PrivateArray:
        return ir.PrivateArray(next(self._ids), name, element, length)

    def value(self, name: str, type: ir.Type) -> ir.Value:
        return ir.Value(next(self._ids), name, type)

    def local(self, name: str, type: ir.Type) -> ir.Local:
        return ir.Local(next(self._ids), name, type)

    def valid(self, body: Iterable[ir.Stmt]) -> ir.ValidModule:
        """The module with a proof written by hand: four bytes a param, eight for 64-bit ones."""
        module = ir.Module(
            name=self.name,
            workgroup_size=self.workgroup_size,
            buffers=tuple(self._buffers),
            params=tuple(self._params),
            origins=tuple(ir.ArgumentOrigin(param.name) for param in self._params),
            workgroup_arrays=tuple(self._arrays),
            body=tuple(body),
            span=self.span,
        )
        slots = tuple(ir.ParamSlot(param, 8 * param.index) for param in self._params)
        nbytes = -(-8 * len(slots) // 16) * 16
        written = frozenset(buffer.index for buffer in self._buffers)
        return make_valid_module(module, slots, nbytes, {}, frozenset(), written, True)

    def source(self, body: Iterable[ir.Stmt]) -> Source:
        return SimulatorBackend().emit(self.valid(body))

    def run(
        self,
        body: Iterable[ir.Stmt],
        *arrays: np.ndarray[Any, Any],
        params: tuple[Any, ...] = (),
        workgroups: tuple[int, int, int] = (1, 1, 1),
    ) -> list[np.ndarray[Any, Any]]:
        """Dispatch once; `params` are NumPy scalars. The arrays given stay as they are."""
        device = SimulatorBackend().open(0)
        source = self.source(body)
        buffers = [device.allocate(array.nbytes) for array in arrays]
        for buffer, array in zip(buffers, arrays, strict=True):
            buffer.write(memoryview(array.tobytes()))
        scalars = b"".join(param.tobytes().ljust(8, b"\0") for param in params).ljust(source.scalars_nbytes, b"\0")
        device.dispatch(device.compile(source), buffers, scalars, workgroups)
        results = []
        for buffer, array in zip(buffers, arrays, strict=True):
            content = bytearray(array.nbytes)
            buffer.read(memoryview(content))
            results.append(np.frombuffer(content, array.dtype).reshape(array.shape))
        return results


def number(value: bool | int | float, type: ir.ScalarType = ir.I32) -> ir.Constant:
    """A literal of the IR."""
    return ir.Constant(value, type)


def global_id() -> ir.Expr:
    """workgroup_id(0) * 8 + local_id(0): for workgroups of 8."""
    base = binary(BinaryOp.MUL, ir.Builtin(BuiltinKind.WORKGROUP_ID, 0), number(8))
    return binary(BinaryOp.ADD, base, ir.Builtin(BuiltinKind.LOCAL_ID, 0))


def place_of(snippet: str, called_from: Span | None = None) -> Span:
    """The place of a line of the listing that is `snippet`, the first such line."""
    lines = Path(LISTING).read_text().splitlines()
    line = next(number for number, text in enumerate(lines, 1) if text.strip() == snippet)
    column = len(lines[line - 1]) - len(snippet)
    return Span(LISTING, line, column, line, column + len(snippet), called_from=called_from)


def saxpy(draft: Draft) -> list[ir.Stmt]:
    """The listing's saxpy without its guard where `draft.workgroup_size` is (8, 1, 1)."""
    draft.name, draft.workgroup_size = "saxpy", (8, 1, 1)
    draft.span = place_of("def saxpy(a, x, y):")
    a, x, y = draft.param("a", ir.F32), draft.buffer("x", ir.F32), draft.buffer("y", ir.F32)
    size = draft.param("y.size", ir.I32)
    i, xi, yi = draft.value("i", ir.I32), draft.value("x_i", ir.F32), draft.value("y_i", ir.F32)
    store = place_of("y[i] = a * x[i] + y[i]")
    result = binary(BinaryOp.ADD, binary(BinaryOp.MUL, a, xi), yi)
    body = (
        ir.Load(xi, ir.Place(x, i), store),
        ir.Load(yi, ir.Place(y, i), store),
        ir.Store(ir.Place(y, i), result, store),
    )
    return [
        ir.Let(i, global_id(), place_of("i = gp.global_id(0)")),
        ir.If(binary(BinaryOp.LT, i, size), body, (), place_of("if i < y.size:")),
    ]


def block_sum(draft: Draft) -> list[ir.Stmt]:
    """The listing's block_sum: a tree reduction of eight elements in a workgroup array."""
    draft.name, draft.workgroup_size = "block_sum", (8, 1, 1)
    draft.span = place_of("def block_sum(x, total):")
    x, total = draft.buffer("x", ir.F32), draft.buffer("total", ir.F32)
    tile = draft.workgroup_array("tile", ir.F32, 8)
    lane, given, step = draft.value("l", ir.I32), draft.value("x_i", ir.F32), draft.local("step", ir.I32)
    left, right, first = (draft.value(name, ir.F32) for name in ("left", "right", "first"))
    load, add = place_of("tile[l] = x[gp.global_id(0)]"), place_of("tile[l] = tile[l] + tile[l + step]")
    barrier = place_of("gp.barrier()")
    inner = Span(LISTING, barrier.line + 5, 8, barrier.line + 5, 20)
    halve = ir.Assign(step, binary(BinaryOp.FLOOR_DIV, step, number(2)), place_of("step = step // 2"))
    round_of_sums = (
        ir.If(ir.Unary(ir.UnaryOp.NOT, binary(BinaryOp.GT, step, number(0)), ir.BOOL), (ir.Break(),)),
        ir.If(
            binary(BinaryOp.LT, lane, step),
            (
                ir.Load(left, ir.Place(tile, lane), add),
                ir.Load(right, ir.Place(tile, binary(BinaryOp.ADD, lane, step)), add),
                ir.Store(ir.Place(tile, lane), binary(BinaryOp.ADD, left, right), add),
            ),
            (),
            place_of("if l < step:"),
        ),
        ir.Barrier(inner),
        halve,
    )
    return [
        ir.Let(lane, ir.Builtin(BuiltinKind.LOCAL_ID, 0), place_of("l = gp.local_id(0)")),
        ir.Load(given, ir.Place(x, global_id()), load),
        ir.Store(ir.Place(tile, lane), given, load),
        ir.Barrier(barrier),
        ir.Declare(step, number(4), place_of("step = 4")),
        ir.Loop(round_of_sums, place_of("while step > 0:")),
        ir.If(
            binary(BinaryOp.EQ, lane, number(0)),
            (
                ir.Load(first, ir.Place(tile, number(0)), place_of("total[gp.workgroup_id(0)] = tile[0]")),
                ir.Store(ir.Place(total, ir.Builtin(BuiltinKind.WORKGROUP_ID, 0)), first),
            ),
            (),
            place_of("if l == 0:"),
        ),
    ]
