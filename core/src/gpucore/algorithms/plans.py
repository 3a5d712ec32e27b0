"""Calls of the library that are planned once: what a call has checked and chosen serves later ones for arrays alike."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from gpucore.algorithms.inputs import compute
from gpucore.algorithms.shapes import Shapes, shapes_of
from gpucore.array import Array, DeviceLike, new_array
from gpucore.creation import zeros
from gpucore.device import Device
from gpucore.immutable import Immutable
from gpucore.sequences import MAX_RECORDED, is_recorded, repeat
from gpucore.types import ElementDType, u32

_MAX_PLANS = 1024  # of a device
_T = TypeVar("_T")


class Plan(Immutable, eq=False):
    """How a result is computed from arrays of one shape and dtype. Plans are compared by identity."""

    queue: Callable[..., None]  # queue(x=array, out=result), or of other names, queues the launches
    shape: tuple[int, ...]  # of the result
    dtype: ElementDType
    padding: int = 0  # elements that `queue` stores behind the result, of rank 1 then
    is_recorded: bool = True  # False: the kernels read what may change between two calls, which only a launch sees

    def run(self, **arrays: Array) -> Array:
        """The result for arrays, with launches that are recorded and replayed, if they may be."""
        size = math.prod(self.shape)
        device = next(iter(arrays.values())).device
        out = new_array((size + self.padding,) if self.padding else self.shape, self.dtype, device)
        self.run_into(out, **arrays)
        return out[:size].reshape(self.shape) if self.padding else out

    def run_into(self, out: Array, **arrays: Array) -> Array:
        """As `run`, in an array with the padding."""
        if self.is_recorded:
            repeat(out.device, self, {**arrays, "out": out}, self.queue, MAX_RECORDED)
        else:
            self.queue(**arrays, out=out)
        return out


Make = Callable[..., Plan | Array]
"""`make(x, shapes, name, *options)` makes the plan for an array, by the shapes of its device; or the result, where
there is nothing to repeat."""


def run_planned(
    name: str, x: Any, options: tuple[Any, ...], device: DeviceLike, make: Make, *, structs: bool = False
) -> Any:
    """Run the plan of an earlier call with these options for an array of the same kind, or the one that `make` makes.

    x is what `compute` takes.
    """
    if type(x) is Array and device is None:  # the usual call: it takes a third of the time
        plan = known_plan(x.device, _key(name, x, options))
        if plan is not None:
            return plan.run(x=x)

    def run(x: Array) -> Array:
        key = _key(name, x, options)
        plan = known_plan(x.device, key)
        if plan is None:
            made = make(x, shapes_of(x.device), name, *options)
            if not isinstance(made, Plan):
                return made
            plan = made
            keep_plan(x.device, key, plan)
        return plan.run(x=x)

    return compute(name, {"x": x}, device, run, structs=structs)


def known_plan(device: Device, key: tuple[Any, ...]) -> Plan | None:
    """The plan of an earlier call."""
    try:
        plan: Plan | None = _plans_of(device).get(key)
        return plan
    except TypeError:  # an axis that is a list
        return None


def keep_plan(device: Device, key: tuple[Any, ...], plan: Plan) -> None:
    """Keep a plan for later calls."""
    plans = _plans_of(device)
    if len(plans) >= _MAX_PLANS:
        plans.clear()
    with suppress(TypeError):  # a keepdims that is a list
        plans[key] = plan


def choose(device: Device, key: tuple[Any, ...], make: Callable[[], _T]) -> _T:
    """What `make` chose for a key, by the shapes for a device."""
    plans = _plans_of(device)
    try:
        found: _T = plans[key]
    except KeyError:
        if len(plans) >= _MAX_PLANS:
            plans.clear()
        found = plans[key] = make()
    return found


def counts(device: Device, number: int) -> Array:
    """An array of at least so many u32 that are 0, which launches count with that leave them 0. One array serves all:
    what uses it in several queues is ordered, as with any array. A graph that is recorded before there is one clears
    its own at each replay."""
    length = max(1024, 1 << (number - 1).bit_length())
    key, plans = ("counts", length), _plans_of(device)
    found: Array | None = plans.get(key)
    if found is None:
        found = zeros(length, u32, device=device)
        if not is_recorded(device):
            plans[key] = found
    return found


def _key(name: str, x: Array, options: tuple[Any, ...]) -> tuple[Any, ...]:
    """What determines a plan. 0, 0.0 and False are equal, and so are tuples of them, but they are not the same axis."""
    kinds: list[Any] = [tuple(map(type, each)) if type(each) is tuple else type(each) for each in options]
    return name, x.shape, x.dtype, x.offset % 16, options, *kinds


def _plans_of(device: Device) -> dict[Any, Any]:
    """The plans that were made with the shapes for a device, and what was chosen."""
    shapes = shapes_of(device)
    found: tuple[Shapes, dict[Any, Any]] | None = device.plans
    if found is None or found[0] is not shapes:
        found = device.plans = shapes, {}
    return found[1]


__all__ = ["Plan", "choose", "counts", "keep_plan", "known_plan", "run_planned"]
