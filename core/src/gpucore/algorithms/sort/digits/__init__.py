"""Sorting by digits on devices with subgroups of one known size: the dispatches of a sort, least digit first."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

from gpucore.algorithms.shapes import DigitShape, SortShape, shapes_of
from gpucore.algorithms.sort.digits import sweep
from gpucore.algorithms.sort.digits.ranking import BINS, BITS
from gpucore.algorithms.sort.digits.shape import DigitTile, Step
from gpucore.algorithms.sort.digits.split import split_kernels
from gpucore.algorithms.sort.digits.sweep import sweep_kernels
from gpucore.array import Array, empty
from gpucore.blocks.keys import KEY_TYPES
from gpucore.device import Device
from gpucore.immutable import Immutable
from gpucore.ir import Capability, Limits
from gpucore.sequences import MAX_KEPT, MAX_RECORDED, repeat
from gpucore.types import DType, ElementDType, u32

_PATIENCE = 64  # reads of a word, on devices where workgroups may not run while others wait


class Plan(Immutable):
    """How an array is sorted: with a tile of this shape, in one sweep for each digit or by splitting chunks."""

    tile: DigitTile
    sweeps: bool
    chunks: int  # the most workgroups of a kernel that works on chunks
    patience: int = 0  # of a sweep, see Step
    silent: int = 0  # likewise


class ByDigits:
    """A method of `gpucore.algorithms.sort.methods`: in one sweep for each digit, or by splitting chunks."""

    def __init__(self, *, sweeps: bool) -> None:
        self._sweeps = sweeps

    def fits(self, x: Array, shape: SortShape, pairs: bool) -> bool:
        """Whether the device can sort an array so."""
        return self._plan(x, shape, pairs) is not None

    def is_chosen(self, x: Array, shape: SortShape, pairs: bool) -> bool:
        """Whether it can, and the array is large enough."""
        if x.size < self._shapes(shape)[-1].smallest or (self._sweeps and not x.device.info.workgroups_progress):
            return False
        return self.fits(x, shape, pairs)

    def sort(
        self, x: Array, target: Array, descending: bool, *, values: Array | None = None, moved: Array | None = None,
        index: bool = False,
    ) -> None:  # fmt: skip
        """Queue the sort of an array of at least one element, stably."""
        plan = self._plan(x, shapes_of(x.device).sort, moved is not None)
        assert plan is not None  # it fits
        sort(x, target, descending, plan, values=None if index else values, moved=moved)

    def prepare(self, x: Array, descending: bool) -> Callable[[Array, Array], None]:
        """What sorts arrays of the size and dtype of x, on its device."""
        plan = self._plan(x, shapes_of(x.device).sort, False)
        assert plan is not None  # it fits
        return _rounds(x.dtype, x.size, descending, plan, False, False).run

    def _shapes(self, shape: SortShape) -> tuple[DigitShape, ...]:
        return shape.sweeps if self._sweeps else shape.splits

    def _plan(self, x: Array, shape: SortShape, pairs: bool) -> Plan | None:
        device, shapes = x.device, self._shapes(shape)
        limits, lanes = device.limits, device.limits.max_subgroup_size
        if Capability.SUBGROUP not in device.capabilities or not 0 < lanes == limits.min_subgroup_size <= 64:
            return None
        if not shapes or (self._sweeps and (x.size > sweep.MAX_SIZE or limits.max_loop_iterations is not None)):
            return None
        chosen = next((each for each in shapes if x.size >= each.smallest), shapes[-1])
        tile = _fitting(chosen, lanes, KEY_TYPES[x.dtype], pairs, limits)
        patience = 0 if device.info.workgroups_progress else _PATIENCE
        chunks = shape.digit_chunks if self._sweeps else shape.split_chunks
        return None if tile is None else Plan(tile, self._sweeps, chunks, patience)


SWEEPS, SPLITS = ByDigits(sweeps=True), ByDigits(sweeps=False)


def _fitting(chosen: DigitShape, lanes: int, key: ElementDType, values: bool, limits: Limits) -> DigitTile | None:
    """The tile of a shape, made smaller where the device has too little workgroup memory."""
    nbytes = key.dtype.itemsize
    invocations = min(chosen.invocations, limits.max_workgroup_invocations)
    most = chosen.with_values if values else chosen.per_invocation
    if invocations < lanes:
        return None
    for per_invocation in range(max(1, most * 4 // nbytes), 0, -1):
        tile = DigitTile(invocations, per_invocation, lanes)
        if tile.workgroup_memory(nbytes) <= limits.max_workgroup_memory:
            return tile
    return None


def sort(
    x: Array, target: Array, descending: bool, plan: Plan, *, values: Array | None = None, moved: Array | None = None
) -> None:
    """Queue the sort of x, of at least one element, into another array.

    `moved` gets the values, words of 32 bits, in the order of their keys; without `values` the indices of the keys.
    Equal keys stay in their order.
    """
    rounds = _rounds(x.dtype, x.size, descending, plan, values is not None, moved is not None)
    rounds.run(x, target, values, moved)


class _Rounds:
    """The passes of a sort: all that determines their launches, but for the arrays."""

    def __init__(
        self, dtype: ElementDType, size: int, descending: bool, plan: Plan, has_values: bool, moves: bool
    ) -> None:
        self.size, self.plan = size, plan
        self.passes = 8 * dtype.dtype.itemsize // BITS
        self.queue = self.queue_sweep if plan.sweeps else self.queue_split
        key = KEY_TYPES[dtype]
        converts = descending or dtype is not key
        self.steps: list[Step] = []
        for number in range(self.passes):
            encodes, decodes = converts and number == 0, converts and number == self.passes - 1
            step = Step(
                tile=plan.tile,
                key=key,
                encodes=encodes,
                decodes=decodes,
                descending=descending and (encodes or decodes),
                indexes=moves and not has_values and number == 0,
                patience=plan.patience,
                silent=plan.silent,
            )
            self.steps.append(next((known for known in self.steps if known == step), step))
        self.temporary = list(self._temporary(key, moves))
        self.temporary_nbytes = sum(size * dtype.itemsize for _, size, dtype in self.temporary)

    def run(self, x: Array, target: Array, values: Array | None = None, moved: Array | None = None) -> None:
        """Queue the sort, or replay it."""
        arrays = {"x": x, "target": target}
        if values is not None:
            arrays["values"] = values.copy() if values.overlaps(x) else values  # a graph takes each array for one name
        if moved is not None:
            arrays["moved"] = moved
        if self.temporary_nbytes <= MAX_KEPT:
            repeat(x.device, self, arrays, self.queue_with_temporary, MAX_RECORDED)
            return
        temporary = self.make_temporary(x.device)
        repeat(x.device, self, arrays | temporary, self.queue, MAX_RECORDED)
        for array in temporary.values():
            array.close()

    def queue_with_temporary(self, **arrays: Array) -> None:
        """Queue the sort with temporary memory of its own, which a recording keeps."""
        temporary = self.make_temporary(arrays["x"].device)
        self.queue(**arrays, **temporary)
        for array in temporary.values():
            array.close()

    def make_temporary(self, device: Device) -> dict[str, Array]:
        """New arrays for intermediate results."""
        return {name: empty(size, dtype, device=device) for name, size, dtype in self.temporary}

    def _temporary(self, key: DType, moves: bool) -> Iterator[tuple[str, int, ElementDType]]:
        """The names, sizes and dtypes of the arrays for intermediate results."""
        if self.passes > 1:
            yield "spare", self.size, key
            if moves:
                yield "spare_values", self.size, u32
        if self.plan.sweeps:
            yield "states", self.passes * self.tiles * BINS, u32
            yield "totals", self.passes * (BINS + 1), u32
        else:
            yield "states", -(-self.size // self.chunk(self.plan.tile.size)) * BINS, u32

    @property
    def tiles(self) -> int:
        return -(-self.size // self.plan.tile.size)

    def chunk(self, step: int) -> int:
        """The keys of a chunk: a multiple of `step`, and no more chunks than the plan has."""
        return step * -(-self.size // (step * self.plan.chunks))

    def places(self, source: Array | None, target: Array, spare: Array | None) -> list[Any]:
        """Where keys or values are before each pass, and after the last: in turn in the spare array and the target."""
        between = [spare, target.view(spare.dtype)] if spare is not None and self.passes > 2 else [spare]
        return [source, *(between[number % 2] for number in range(self.passes - 1)), target]

    def queue_sweep(
        self, x: Array, target: Array, states: Array, totals: Array, spare: Array | None = None,
        values: Array | None = None, moved: Array | None = None, spare_values: Array | None = None,
    ) -> None:  # fmt: skip
        """Queue a sweep for each digit."""
        kernels, tiles = sweep_kernels(self.plan.tile.invocations), self.tiles
        chunk = self.chunk(sweep.INVOCATIONS * sweep.PER_INVOCATION)
        counts, tickets = totals[: self.passes * BINS], totals[self.passes * BINS :]
        keys = self.places(x, target, spare)
        moves = [] if moved is None else self.places(values, moved, spare_values)
        for number, step in enumerate(self.steps):
            if number == 0:
                sweep.clear_totals(counts, tickets, workgroups=1)
                sweep.count_digits(x, counts, states, chunk, step, self.passes, workgroups=-(-self.size // chunk))
            source, goal, shift = keys[number], keys[number + 1], BITS * number
            if moved is None:
                kernels.sort(source, goal, counts, states, tickets, shift, number, step, workgroups=tiles)
            else:
                before = counts if step.indexes else moves[number]  # which is not read
                kernels.move(
                    source, goal, before, moves[number + 1], counts, states, tickets, shift, number, step,
                    workgroups=tiles,
                )  # fmt: skip

    def queue_split(
        self, x: Array, target: Array, states: Array, spare: Array | None = None, values: Array | None = None,
        moved: Array | None = None, spare_values: Array | None = None,
    ) -> None:  # fmt: skip
        """Queue for each digit the counts of the chunks, and the move of the keys."""
        tile = self.plan.tile
        kernels = split_kernels(tile.invocations)
        chunk = self.chunk(tile.size)
        chunks = -(-self.size // chunk)
        keys = self.places(x, target, spare)
        moves = [] if moved is None else self.places(values, moved, spare_values)
        for number, step in enumerate(self.steps):
            source, goal, shift = keys[number], keys[number + 1], BITS * number
            kernels.counting(source, states, shift, chunk, step, workgroups=chunks)
            if moved is None:
                kernels.sort(source, goal, states, shift, chunk, step, workgroups=chunks)
            else:
                before = states if step.indexes else moves[number]  # which is not read
                kernels.move(source, goal, before, moves[number + 1], states, shift, chunk, step, workgroups=chunks)


_rounds = functools.lru_cache(maxsize=64)(_Rounds)
