"""Kernels drawn at random, which must give what the simulator gives."""

from __future__ import annotations

import random

import numpy as np
from cpu_kernels import Draft, const, local_id, op, pack, workgroup_id

from gpucore import ir
from gpucore.ir import I32
from gpucore.simulator.device import device_info
from gpucore.simulator.plugin import SimulatorBackend
from gpucore.valid import validate


class Drawn:
    """A random kernel without races: each invocation writes its own elements, and reads others' after a barrier."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.draft = Draft(
            *self.random.choice([(8, 4, 1), (16, 1, 1), (4, 2, 2), (5, 3, 1), (1, 6, 1), (40, 1, 1), (19, 2, 1)])
        )
        x, y, z = self.draft.size
        self.count = x * y * z
        self.out = self.draft.buffer("out", I32)
        self.source = self.draft.buffer("source", I32)
        self.param = self.draft.param("p", I32)
        self.size = self.draft.param("n", I32, is_size=True)
        self.cells = self.draft.workgroup_array("cells", I32, self.count)
        flat = op(op(op(op(local_id(2), "*", y), "+", local_id(1)), "*", x), "+", local_id(0))
        self.me = self.draft.let("me", flat)
        self.mine = self.draft.let("mine", op(op(workgroup_id(), "*", self.count), "+", self.me))
        self.array = self.draft.private_array("array", I32, 4)
        self.locals = [self.draft.variable(f"v{n}", self.varying([])) for n in range(3)]
        self.draft.store(self.cells, self.me, self.me)
        self.draft.barrier()
        self.block(*self.builtins(), depth=0, is_uniform=True)
        total = self.locals[0]
        for number in (1, 2):
            self.draft.assign(total, op(total, "^", op(self.locals[number], "*", 2 * number + 1)))
        self.draft.assign(total, op(total, "+", self.draft.load(self.array, op(self.me, "%", 4))))
        with self.draft.when(op(self.mine, "<", self.size)):
            self.draft.store(self.out, self.mine, total)

    def builtins(self) -> tuple[list[ir.Expr], list[ir.Expr]]:
        """More to compute with: what is uniform, and what is not."""
        return [], []

    def proven(self) -> ir.ValidModule:
        """The kernel, validated."""
        return validate(self.draft.valid().module, SimulatorBackend.capabilities, device_info().limits)

    def uniform(self, values: list[ir.Expr]) -> ir.Expr:
        leaves = [const(self.random.randint(-3, 5)), self.param, workgroup_id(), *values]
        left, right = self.random.choice(leaves), self.random.choice(leaves)
        return op(left, self.random.choice(["+", "-", "*", "//", "%", "&", "^"]), right)

    def varying(self, values: list[ir.Expr]) -> ir.Expr:
        known = getattr(self, "locals", [])
        leaves = [local_id(0), local_id(1), self.me, self.mine, self.uniform([]), *known, *values]
        left, right = self.random.choice(leaves), self.random.choice(leaves)
        return op(left, self.random.choice(["+", "-", "*", "//", "%", "&", "|", ">>"]), right)

    def block(self, uniform: list[ir.Expr], values: list[ir.Expr], depth: int, is_uniform: bool) -> None:
        uniform, values = list(uniform), list(values)
        for _ in range(self.random.randint(1, 5 - depth)):
            self.statement(uniform, values, depth, is_uniform)

    def statement(self, uniform: list[ir.Expr], values: list[ir.Expr], depth: int, is_uniform: bool) -> None:
        draft, choice = self.draft, self.random.random()
        every = uniform + values
        if choice < 0.2:
            draft.assign(self.random.choice(self.locals), self.varying(every))
        elif choice < 0.3:
            values.append(draft.let("t", self.varying(every)))
        elif choice < 0.38:
            uniform.append(draft.let("u", self.uniform(uniform)))
        elif choice < 0.46:
            values.append(draft.load(self.source, op(self.varying(every), "&", 63)))
        elif choice < 0.54:
            place = draft.let("place", op(self.varying(every), "&", 3))
            draft.store(self.array, place, op(draft.load(self.array, place), "+", self.varying(every)))
        elif choice < 0.66 and is_uniform:
            self.together(every)
        elif depth < 3:
            self.control(uniform, values, depth, is_uniform)

    def together(self, values: list[ir.Expr]) -> None:
        """What all invocations of the workgroup do, or none."""
        self.exchange(values)

    def exchange(self, values: list[ir.Expr]) -> None:
        """Write the own cell, let all arrive, read another's, let all arrive."""
        draft = self.draft
        draft.store(self.cells, self.me, self.varying(values))
        draft.barrier()
        other = draft.load(self.cells, op(op(self.varying(values), "&", 255), "%", self.count))
        draft.assign(self.random.choice(self.locals), op(other, "+", 1))
        draft.barrier()

    def control(self, uniform: list[ir.Expr], values: list[ir.Expr], depth: int, is_uniform: bool) -> None:
        draft, same = self.draft, is_uniform and self.random.random() < 0.6
        condition = op(self.uniform(uniform) if same else self.varying(uniform + values), ">", 0)
        kind = self.random.random()
        if kind < 0.4:
            with draft.block() as then:
                self.block(uniform, values, depth + 1, same)
            with draft.block() as orelse:
                if self.random.random() < 0.5:
                    self.block(uniform, values, depth + 1, same)
            draft.add(ir.If(condition, tuple(then), tuple(orelse)))
        else:
            stop = op(self.uniform(uniform) if same else self.varying(uniform + values), "&", 3)
            with draft.loop_over(const(0), stop, uniform=same) as k:
                inner = ([*uniform, k], values) if same else (uniform, [*values, k])
                self.block(*inner, depth + 1, same)
                if kind > 0.75:
                    leave = op(self.uniform(inner[0]) if same else self.varying([*uniform, *values, k]), ">", 1)
                    with draft.when(leave):
                        draft.add(ir.Break() if kind > 0.88 else ir.Continue())
                    self.block(*inner, depth + 1, same)


def on_simulator(proven: ir.ValidModule, arrays: list[np.ndarray], scalars: dict[str, int]) -> np.ndarray:
    backend = SimulatorBackend()
    device = backend.open(0)
    buffers = [device.allocate(array.nbytes) for array in arrays]
    for buffer, array in zip(buffers, arrays, strict=True):
        buffer.write(memoryview(array.tobytes()))
    device.dispatch(device.compile(backend.emit(proven)), buffers, pack(proven, scalars), (3, 1, 1))
    result = np.empty_like(arrays[0])
    buffers[0].read(memoryview(result).cast("B"))
    return result
