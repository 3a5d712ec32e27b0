"""Prepared launches: the results of the checks of a first call, reused by similar calls."""

from __future__ import annotations

import enum
import math
import struct
import weakref
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

import numpy as np

from gpucore import compiler, front, ir
from gpucore.arguments import ArrayChecks, check_last_axis, check_scalar, check_value
from gpucore.array import Array
from gpucore.device import Device
from gpucore.dispatch import Grid
from gpucore.front.text.nominal import NominalDType, is_enum
from gpucore.front.text.signature import (
    BufferParameter,
    ConstParameter,
    Parameter,
    ScalarParameter,
    Signature,
    StructParameter,
)
from gpucore.layout import Layout, View
from gpucore.runtime.packing import packer
from gpucore.structs import StructDType, field_name, fields_of, leaves
from gpucore.types import DTYPES, DType

Arguments = Sequence[Any]
Getter = Callable[[Arguments, Grid], Any]

_MISSING = object()
_MAX_GRIDS = 64


class Plan:
    """Everything needed to dispatch one specialisation on one device. When it is freed, so is its pipeline."""

    __slots__ = ("__weakref__", "compiled", "is_fallback", "pack", "preconditions", "scalars", "shapes")

    def __init__(
        self,
        device: Device,
        compiled: compiler.Compiled,
        scalars: tuple[Getter, ...],
        preconditions: Callable[[Arguments, Grid], bool] | None,
        is_fallback: bool,
        shapes: tuple[tuple[Getter, ...], ...] = (),
    ) -> None:
        self.compiled = compiled
        self.pack = packer(compiled.layout.slots, compiled.layout.nbytes).pack
        self.scalars = scalars  # getters of the arguments of `pack`
        self.preconditions = preconditions  # None: there are none
        self.is_fallback = is_fallback  # for calls that do not satisfy the preconditions
        self.shapes = shapes  # under debug: the lengths of the array of each plane of marks
        weakref.finalize(self, device.discard_pipeline, compiled.pipeline).atexit = False

    def fits(self, arguments: Arguments, grid: Grid) -> bool:
        """Whether the plan is for this call. A fallback is for calls that do not satisfy the preconditions."""
        return self.preconditions is None or self.preconditions(arguments, grid) != self.is_fallback

    def pack_scalars(self, arguments: Arguments, grid: Grid) -> bytes:
        """The packed scalars of a call."""
        return self.pack(*[get(arguments, grid) for get in self.scalars])

    def dispatch(self, device: Device, buffers: list[Any], scalars: bytes, grid: Grid, arguments: Arguments) -> None:
        """Dispatch. The caller holds the device's lock."""
        compiled, workgroups = self.compiled, grid.dispatched
        if compiled.reporting is None:
            device.driver_device.dispatch(compiled.pipeline, buffers, scalars, workgroups)
        else:
            shapes = [tuple(get(arguments, grid) for get in lengths) for lengths in self.shapes]
            device.dispatch_reporting(compiled.reporting, compiled.pipeline, buffers, scalars, workgroups, shapes)


def make_plan(
    kernel: str, device: Device, compiled: compiler.Compiled, signature: Signature, fallback_of: Plan | None = None
) -> Plan:
    """The plan for a compiled kernel. `fallback_of` is the plan whose preconditions are not satisfied."""
    layout = compiled.layout
    preconditions = _preconditions_of(layout, signature) if fallback_of is None else fallback_of.preconditions
    getters, shapes = _getters(kernel, layout, signature), _shapes(compiled, signature)
    return Plan(device, compiled, getters, preconditions, fallback_of is not None, shapes)


def _shapes(compiled: compiler.Compiled, signature: Signature) -> tuple[tuple[Getter, ...], ...]:
    """For each plane of marks of a kernel under debug, the getters of the lengths of its array."""
    planes = compiled.reporting.planes if compiled.reporting else ()
    positions, views = _positions(signature), compiled.layout.views
    return tuple(
        tuple(
            _length_getter(positions[plane.array], axis, views[plane.array]) for axis in range(views[plane.array].rank)
        )
        for plane in planes
    )


def packed_scalars(kernel: str, layout: Layout, signature: Signature, arguments: Arguments, grid: Grid) -> bytes:
    """The packed scalars of a single call, for a kernel that is not compiled for a device."""
    values = [get(arguments, grid) for get in _getters(kernel, layout, signature)]
    return packer(layout.slots, layout.nbytes).pack(*values)


def _positions(signature: Signature) -> dict[str, int]:
    return {parameter.name: position for position, parameter in enumerate(signature.parameters)}


def _getters(kernel: str, layout: Layout, signature: Signature) -> tuple[Getter, ...]:
    """A getter for each slot of the packed scalars."""
    positions = _positions(signature)
    return tuple(
        _scalar_getter(kernel, slot.origin, positions[slot.origin.name], slot.type)
        if isinstance(slot.origin, ir.ArgumentOrigin)
        else _fact_getter(layout, slot.origin, positions)
        for slot in layout.slots
    )


def _fact_getter(
    layout: Layout,
    origin: ir.ShapeOrigin | ir.LastIndexOrigin | ir.GridOrigin | ir.StartOrigin,
    positions: dict[str, int],
) -> Getter:
    """The getter of a length, last index, start or grid dimension."""
    match origin:
        case ir.ShapeOrigin(name, axis):
            return _length_getter(positions[name], axis, layout.views[name])
        case ir.LastIndexOrigin(name):
            view, position = layout.views[name], positions[name]
            first, *others = [_length_getter(position, axis, view) for axis in range(view.rank)]
            if not others:
                return lambda arguments, grid: (first(arguments, grid) or 1) - 1
            lengths = (first, *others)
            return lambda arguments, grid: max(math.prod([get(arguments, grid) for get in lengths]), 1) - 1
        case ir.StartOrigin(name):
            return _start_getter(positions[name], layout.views[name])
        case ir.GridOrigin("columns"):
            return lambda arguments, grid: grid.dispatched[0]
        case ir.GridOrigin(what):
            axis = "xyz".index(what)
            return lambda arguments, grid: grid.requested[axis]


def _preconditions_of(layout: Layout, signature: Signature) -> Callable[[Arguments, Grid], bool] | None:
    """The test whether a call with checked arguments satisfies the kernel's assumptions; None if there are none."""
    positions = _positions(signature)

    def getter(origin: ir.Origin) -> Getter:
        if isinstance(origin, ir.ArgumentOrigin):
            return _raw_getter(origin, positions[origin.name])
        return _fact_getter(layout, origin, positions)

    sums = [
        [(factor, tuple(map(getter, origins))) for factor, origins in assumption.terms]
        for assumption in layout.assumptions
    ]

    def preconditions(arguments: Arguments, grid: Grid) -> bool:
        for terms in sums:
            total = 0
            for product, getters in terms:
                for get in getters:
                    product *= int(get(arguments, grid))
                total += product
            if total < 0:
                return False
        return True

    return preconditions if sums else None


def _raw_getter(origin: ir.ArgumentOrigin, position: int) -> Getter:
    """The getter of a number passed by value, unchecked."""
    steps = tuple(origin.field.split(".")) if origin.field else ()

    def get(arguments: Arguments, grid: Grid) -> Any:
        value = arguments[position]
        for step in steps:
            value = value[int(step)] if step.isdigit() else getattr(value, step)
        return value

    return get


def _scalar_getter(kernel: str, origin: ir.ArgumentOrigin, position: int, type_: ir.ScalarType) -> Getter:
    """The getter of a number passed by value. Plain numbers are only checked by `pack`, which refuses overflow."""
    name = f"{origin.name}.{origin.field}" if origin.field else origin.name
    plain = _PLAIN_BOOLS if type_ == ir.BOOL else _PLAIN_INTEGERS if type_.is_integer else _PLAIN_FLOATS
    raw = _raw_getter(origin, position)

    def get(arguments: Arguments, grid: Grid) -> Any:
        value = raw(arguments, grid)
        return value if type(value) in plain else check_scalar(kernel, name, value, type_)

    return get


def _length_getter(position: int, axis: int, view: View) -> Getter:
    """The getter of a length. If a buffer of scalars is viewed as vectors, its last axis is shorter."""
    width = view.width
    if width == 1:
        return lambda arguments, grid: arguments[position].shape[axis]

    def get(arguments: Arguments, grid: Grid) -> int:
        array: Array = arguments[position]
        length = array.shape[axis]
        is_vector_view = axis == len(array.shape) - 1 and array.dtype.width == 1
        return length // width if is_vector_view else length

    return get


def _start_getter(position: int, view: View) -> Getter:
    """The getter of the number of elements, as the kernel sees them, before the first one of an array."""
    width = view.width

    def get(arguments: Arguments, grid: Grid) -> int:
        array: Array = arguments[position]
        start: int = array.start
        return start // width if width > array.dtype.width else start

    return get


_PLAIN_BOOLS = frozenset({bool})
_PLAIN_INTEGERS = frozenset({int, *(dtype.dtype.type for dtype in DTYPES if dtype.dtype.kind in "iu")})
_PLAIN_FLOATS = _PLAIN_INTEGERS | {float, *(dtype.dtype.type for dtype in DTYPES if dtype.dtype.kind == "f")}


class CallKey:
    """Computes the key of the Launch that a call can repeat, fast, as every call does."""

    def __init__(self, signature: Signature) -> None:
        kinds = [*enumerate(map(_kind, signature.parameters))]
        self._names = signature.names
        self._arrays = tuple(position for position, kind in kinds if kind == _ARRAY)
        self._others = tuple((position, kind) for position, kind in kinds if kind in (_TYPED, _CONSTANT))

    def in_order(self, args: Arguments, keywords: Mapping[str, Any]) -> Arguments | None:
        """The arguments in the order of the parameters; None if the slow path must bind them."""
        if not keywords:
            return args if len(args) == len(self._names) else None
        if len(args) + len(keywords) != len(self._names):
            return None
        try:
            return (*args, *[keywords[name] for name in self._names[len(args) :]])
        except KeyError:
            return None

    def key(self, arguments: Arguments) -> tuple[Any, ...] | None:
        """The key: everything that determines how the call is compiled and on which device. None: use the slow path."""
        key: list[Any] = []
        for position in self._arrays:
            value = arguments[position]
            if type(value) is not Array:
                return None
            key.append(value.dtype)
            if value.start:
                key.append(True)
        for position, kind in self._others:
            value = arguments[position]
            key.append(type(value))
            if kind == _CONSTANT:
                # Items of a tuple, and fields of a struct, may differ although they compare equal: 1, 1.0 and True.
                if type(value) is tuple or isinstance(type(value), StructDType):
                    return None
                key.append(value.hex() if type(value) is float else value)
        key.append(arguments[self._arrays[0]].device if self._arrays else None)
        return tuple(key)


_ARRAY, _NUMBER, _TYPED, _CONSTANT = range(4)


def _kind(parameter: Parameter) -> int:
    """Which part of an argument goes into the key: none for a number whose type is fixed by the signature."""
    if isinstance(parameter, BufferParameter):
        return _ARRAY
    if isinstance(parameter, ConstParameter):
        return _CONSTANT
    return _NUMBER if isinstance(parameter, ScalarParameter) and isinstance(parameter.type, DType) else _TYPED


GridKey = int | tuple[object, ...]

_ONLY_INT = {int}


def grid_key(invocations: Any, workgroups: Any) -> GridKey | None:
    """The cache key of a grid: equal keys mean equal grids. None: use the slow path."""
    if workgroups is None:
        return invocations if type(invocations) is int else _count_key(invocations)
    key = _count_key(workgroups) if invocations is None else None
    return None if key is None else ("workgroups", key)


def _count_key(counts: Any) -> GridKey | None:
    if type(counts) is int:
        return counts
    if type(counts) is tuple and set(map(type, counts)) == _ONLY_INT:
        return counts
    return int(counts) if isinstance(counts, np.integer) else None


@dataclass(slots=True)
class Launch:
    """A checked call. `repeat` makes a similar call on the fast path, if it can.

    Calls with the same `CallKey` have the same device, dtypes and compile-time values; the rest is checked here.
    """

    device: Device
    plan_key: tuple[Device, compiler.Form]
    plan: Plan
    arrays: ArrayChecks
    checks: tuple[Callable[[Arguments], object], ...]  # what `arrays` and packing the scalars do not check
    captured: tuple[tuple[Callable[[str, object], object], str, object], ...]
    grids: dict[GridKey, Grid] = field(default_factory=dict)

    def repeat(self, arguments: Arguments, grid_key: GridKey) -> bool:
        """Dispatch with other arguments of the same types; False if the slow path must be used.

        Raises ArgumentError as a first call does.
        """
        grid = self.grids.get(grid_key)
        if grid is None:
            return False
        for look_up, name, value in self.captured:
            if look_up(name, _MISSING) is not value:
                return False
        device, _, buffers = self.arrays.check(arguments)
        for check in self.checks:
            check(arguments)
        plan = self.plan
        try:
            scalars = plan.pack(*[get(arguments, grid) for get in plan.scalars])
        except (struct.error, OverflowError):
            return False  # a number out of range: the slow path raises the error
        if plan.preconditions is not None and not plan.fits(arguments, grid):
            return False
        with device.lock:
            device.collect_garbage()
            plan.dispatch(device, buffers, scalars, grid, arguments)
        return True

    def remember(self, key: GridKey, grid: Grid) -> None:
        """Keep the grid of a call."""
        if len(self.grids) >= _MAX_GRIDS:
            self.grids.clear()
        self.grids[key] = grid


class Specialised(Protocol):
    """What a launch needs of a variant."""

    specialisation: front.Specialisation
    captured: Sequence[front.Captured]


def make_launch(
    kernel: str,
    plan_key: tuple[Device, compiler.Form],
    plan: Plan,
    signature: Signature,
    array_checks: ArrayChecks,
    arguments: Arguments,
    variant: Specialised,
) -> Launch:
    """The prepared launch of a call whose arguments were checked."""
    used, types = plan.compiled.layout.checked, dict(variant.specialisation.types)
    elements = iter(variant.specialisation.elements)
    checks: list[Callable[[Arguments], object]] = []
    for position, parameter in enumerate(signature.parameters):
        if isinstance(parameter, BufferParameter):
            viewed, array = next(elements), arguments[position]
            if isinstance(viewed, ir.VectorType) and array.dtype.width == 1:
                checks.append(_last_axis_check(kernel, parameter, position, viewed))
        elif isinstance(parameter, (ScalarParameter, StructParameter)) and not _is_checked_by_pack(parameter, used):
            checks.append(_value_check(kernel, parameter, position, types))
    look_ups = tuple((item.reader(), item.name, item.value) for item in variant.captured)
    return Launch(plan_key[0], plan_key, plan, array_checks, tuple(checks), look_ups)


def _is_checked_by_pack(parameter: ScalarParameter | StructParameter, used: Set[tuple[str, str]]) -> bool:
    """Whether packing checks the whole argument."""
    if isinstance(parameter, StructParameter):
        # Packing does not check the class of a nested struct, or the length of a vector.
        plain = all(len(path) == 1 and isinstance(leaf.ir_type, ir.ScalarType) for path, leaf in leaves(parameter.cls))
        if any(isinstance(part.nominal, enum.EnumMeta) for part in fields_of(parameter.cls)):
            return False  # packing accepts any number
        return plain and all(
            (parameter.name, field_name(parameter.cls, path)) in used for path, _ in leaves(parameter.cls)
        )
    if isinstance(parameter.type, NominalDType) and is_enum(parameter.type.ir_type):
        return False  # packing accepts any number
    return (parameter.name, "") in used


def _value_check(
    kernel: str, parameter: ScalarParameter | StructParameter, position: int, types: Mapping[TypeVar, ir.Type]
) -> Callable[[Arguments], object]:
    return lambda arguments: check_value(kernel, parameter, arguments[position], types)


def _last_axis_check(
    kernel: str, parameter: BufferParameter, position: int, viewed: ir.VectorType
) -> Callable[[Arguments], object]:
    return lambda arguments: check_last_axis(kernel, parameter, arguments[position], viewed)
