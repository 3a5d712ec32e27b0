"""Sorting by digits on devices with subgroups of one known size: the dispatches of a sort, least digit first."""

from __future__ import annotations

from gpucore.algorithms.shapes import DigitShape, SortShape
from gpucore.algorithms.sort.digits import split, sweep
from gpucore.algorithms.sort.digits.ranking import BINS, BITS
from gpucore.algorithms.sort.digits.shape import DigitTile, Step
from gpucore.algorithms.sort.digits.split import split_kernels
from gpucore.algorithms.sort.digits.sweep import sweep_kernels
from gpucore.algorithms.sort.keys import KEY_TYPES
from gpucore.array import Array, empty
from gpucore.device import Device
from gpucore.immutable import Immutable
from gpucore.ir import Capability, Limits
from gpucore.types import ElementDType, u32

_MAX_SIZE = (1 << 31) - 1  # of an array whose indices are i32


class Plan(Immutable):
    """How an array is sorted: with a tile of this shape, in one sweep for each digit or by splitting chunks."""

    tile: DigitTile
    sweeps: bool
    chunks: int  # the most workgroups of a kernel that works on chunks
    patience: int = 0  # of a sweep, see Step
    silent: int = 0  # likewise


def plan_of(x: Array, shape: SortShape, values: bool) -> Plan | None:
    """How an array can be sorted by digits, or None: it is small, or the device lacks what that needs."""
    device, limits = x.device, x.device.limits
    lanes = limits.max_subgroup_size
    if Capability.SUBGROUP not in device.capabilities or not 0 < lanes == limits.min_subgroup_size <= 64:
        return None
    if x.size > _MAX_SIZE:
        return None
    sweeps = _makes_progress(device) and x.size <= sweep.MAX_SIZE and limits.max_loop_iterations is None
    for chosen in shape.sweeps if sweeps else shape.splits:
        if x.size >= chosen.smallest:
            tile = _fitting(chosen, lanes, KEY_TYPES[x.dtype], values, limits)
            return tile and Plan(tile, sweeps, shape.digit_chunks)
    return None


def _makes_progress(device: Device) -> bool:
    return device.info.backend == "cuda"


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


class _Rounds:
    """The arrays of the passes: from the source to temporary memory, from there to the target's, and so on."""

    def __init__(self, x: Array, target: Array, values: Array | None, moved: Array | None) -> None:
        self.key = KEY_TYPES[x.dtype]
        self.passes = 8 * x.dtype.dtype.itemsize // BITS
        self.temporary: list[Array] = []
        self.keys = self._alternating(x, target, self.key)
        self.values = None if moved is None else self._alternating(moved if values is None else values, moved, u32)

    def _alternating(self, source: Array, target: Array, dtype: ElementDType) -> list[Array]:
        """Where the keys are before each pass, and after the last."""
        between: list[Array] = []
        if self.passes > 1:
            spare = empty(source.size, dtype, device=source.device)
            self.temporary.append(spare)
            again = target.view(dtype) if self.passes > 2 else target
            between = [spare, again] * (self.passes // 2)
        return [source, *between[: self.passes - 1], target]

    def values_of(self, number: int, step: Step, unread: Array) -> tuple[Array, Array]:
        """The values before a pass, and where they go. Indices are in no array before the first pass."""
        assert self.values is not None
        return (unread if step.indexes else self.values[number]), self.values[number + 1]

    def close(self) -> None:
        """Free the temporary memory, in queue order."""
        for array in self.temporary:
            array.close()


def sort(
    x: Array, target: Array, descending: bool, plan: Plan, *, values: Array | None = None, moved: Array | None = None
) -> None:
    """Queue the sort of x, of at least one element, into another array.

    `moved` gets the values, words of 32 bits, in the order of their keys; without `values` the indices of the keys.
    Equal keys stay in their order.
    """
    rounds = _Rounds(x, target, values, moved)
    steps = _steps(rounds, descending, plan, values is None)
    (_sweep if plan.sweeps else _split)(rounds, steps, plan)
    rounds.close()


def _steps(rounds: _Rounds, descending: bool, plan: Plan, index: bool) -> list[Step]:
    """The passes, with as few variants of the kernels as possible."""
    x, target = rounds.keys[0], rounds.keys[-1]
    converts = descending or x.dtype is not rounds.key
    steps = []
    for number in range(rounds.passes):
        encodes, decodes = converts and number == 0, converts and rounds.keys[number + 1] is target
        steps.append(
            Step(
                tile=plan.tile,
                key=rounds.key,
                encodes=encodes,
                decodes=decodes,
                descending=descending and (encodes or decodes),
                indexes=index and rounds.values is not None and number == 0,
                patience=plan.patience,
                silent=plan.silent,
            )
        )
    return steps


def _sweep(rounds: _Rounds, steps: list[Step], plan: Plan) -> None:
    x, tile = rounds.keys[0], plan.tile
    kernels = sweep_kernels(tile.invocations)
    tiles = -(-x.size // tile.size)
    stride = sweep.INVOCATIONS * sweep.PER_INVOCATION
    chunk = stride * -(-x.size // (stride * plan.chunks))
    totals = empty(rounds.passes * BINS, u32, device=x.device)
    tickets = empty(rounds.passes, u32, device=x.device)
    states = empty(rounds.passes * tiles * BINS, u32, device=x.device)
    sweep.clear_totals(totals, tickets, workgroups=1)
    sweep.count_digits(x, totals, states, chunk, steps[0], rounds.passes, workgroups=-(-x.size // chunk))
    for number, step in enumerate(steps):
        source, goal, shift = rounds.keys[number], rounds.keys[number + 1], BITS * number
        if rounds.values is None:
            kernels.sort(source, goal, totals, states, tickets, shift, number, step, workgroups=tiles)
        else:
            given, moved = rounds.values_of(number, step, totals)
            kernels.move(
                source, goal, given, moved, totals, states, tickets, shift, number, step, workgroups=tiles
            )
    for array in (totals, tickets, states):
        array.close()


def _split(rounds: _Rounds, steps: list[Step], plan: Plan) -> None:
    x, tile = rounds.keys[0], plan.tile
    kernels = split_kernels(tile.invocations)
    chunk = tile.size * -(-x.size // (tile.size * plan.chunks))
    chunks = -(-x.size // chunk)
    counts = empty(BINS * chunks, u32, device=x.device)
    totals = empty(BINS, u32, device=x.device)
    for number, step in enumerate(steps):
        source, goal, shift = rounds.keys[number], rounds.keys[number + 1], BITS * number
        kernels.count(source, counts, shift, chunk, step, workgroups=chunks)
        split.scan_rows(counts, totals, chunks, tile.lanes, workgroups=BINS)
        if rounds.values is None:
            kernels.sort(source, goal, counts, totals, shift, chunk, step, workgroups=chunks)
        else:
            given, moved = rounds.values_of(number, step, totals)
            kernels.move(source, goal, given, moved, counts, totals, shift, chunk, step, workgroups=chunks)
    for array in (counts, totals):
        array.close()
