"""Prepared launches: the results of the checks of a first call, reused by similar calls."""

from __future__ import annotations

import enum
import itertools
import weakref
from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any, Protocol, TypeVar

from gpucore import compiler, front, ir
from gpucore.arguments import ArrayChecks, check_last_axis, check_value
from gpucore.array import Array
from gpucore.device import Device
from gpucore.dispatch import Grid, plan_grid
from gpucore.errors import ArgumentError
from gpucore.front.text.nominal import NominalDType, is_enum
from gpucore.front.text.signature import BufferParameter, ScalarParameter, Signature, StructParameter
from gpucore.launch_text import GridKey, Keys, LayoutText, define, fits_function, grid_key, pack_function
from gpucore.layout import Layout
from gpucore.runtime.packing import packer
from gpucore.structs import field_name, fields_of, leaves

Arguments = Sequence[Any]
Getter = Callable[[Arguments], tuple[int, ...]]

_MISSING = object()
_MAX_GRIDS = 64
ticks = itertools.count()
"""Numbers the uses of variants, of which the least recent one is dropped."""


class Plan:
    """Everything needed to dispatch one specialisation on one device. When it is freed, so is its pipeline."""

    __slots__ = ("__weakref__", "compiled", "condition", "is_fallback", "pack", "preconditions", "shapes", "text")

    def __init__(
        self, kernel: str, device: Device, compiled: compiler.Compiled, signature: Signature, fallback_of: Plan | None
    ) -> None:
        self.compiled = compiled
        self.text = LayoutText(kernel, compiled.layout, signature)
        self.pack = pack_function(self.text)
        self.condition: str = self.text.preconditions() if fallback_of is None else fallback_of.condition
        self.preconditions: Callable[..., bool] | None = (
            fits_function(self.text) if fallback_of is None else fallback_of.preconditions
        )
        self.is_fallback = fallback_of is not None  # for calls that do not satisfy the preconditions
        self.shapes = _shapes(compiled, signature)  # under debug: of the array of each plane of marks
        weakref.finalize(self, device.discard_pipeline, compiled.pipeline).atexit = False

    def fits(self, arguments: Arguments, grid: Grid) -> bool:
        """Whether the plan is for this call. A fallback is for calls that do not satisfy the preconditions."""
        return self.preconditions is None or self.preconditions(*arguments, grid) != self.is_fallback

    def dispatch(self, device: Device, buffers: list[Any], scalars: bytes, grid: Grid, arguments: Arguments) -> None:
        """Dispatch. The caller holds the device's lock."""
        compiled, workgroups = self.compiled, grid.dispatched
        if compiled.reporting is None:
            device.driver_device.dispatch(compiled.pipeline, buffers, scalars, workgroups)
        else:
            shapes = [get(arguments) for get in self.shapes]
            device.dispatch_reporting(compiled.reporting, compiled.pipeline, buffers, scalars, workgroups, shapes)


def _shapes(compiled: compiler.Compiled, signature: Signature) -> tuple[Getter, ...]:
    """For each plane of marks of a kernel under debug, the getter of the shape of its array as the kernel sees it."""
    planes = compiled.reporting.planes if compiled.reporting else ()
    positions = {parameter.name: at for at, parameter in enumerate(signature.parameters)}
    return tuple(_shape_getter(positions[plane.array], compiled.layout.views[plane.array].width) for plane in planes)


def _shape_getter(position: int, width: int) -> Getter:
    def get(arguments: Arguments) -> tuple[int, ...]:
        array: Array = arguments[position]
        *outer, last = array.shape
        return (*outer, last if array.dtype.width == width else last // width)

    return get


def packed_scalars(kernel: str, layout: Layout, signature: Signature, arguments: Arguments, grid: Grid) -> bytes:
    """The packed scalars of a single call, for a kernel that is not compiled for a device."""
    return pack_function(LayoutText(kernel, layout, signature))(*arguments, grid)


class Specialised(Protocol):
    """What a launch needs of a variant."""

    specialisation: front.Specialisation
    captured: Sequence[front.Captured]
    plans: dict[tuple[Device, compiler.Form], Plan]
    used: int


class Launch:
    """A checked call. `repeat` makes a similar call in the short way, if it can.

    `repeat(arguments, invocations, workgroups)`, with a tuple of all arguments, returns False for a call with another
    key (`launch_text.Keys`), and if the call must be made in the long way, as every wrong call must.
    """

    def __init__(
        self,
        kernel: str,
        workgroup_size: tuple[int, int, int],
        plan_key: tuple[Device, compiler.Form],
        plan: Plan,
        signature: Signature,
        array_checks: ArrayChecks,
        keys: Keys,
        arguments: Arguments,
        variant: Specialised,
    ) -> None:
        self.device, self.plan_key, self.plan, self.variant = plan_key[0], plan_key, plan, variant
        self._kernel, self._workgroup_size = kernel, workgroup_size
        self._grids: dict[GridKey, Grid] = {}
        checks = _checks(kernel, plan, signature, arguments, variant)
        text, names = _repeat(self, signature, array_checks, keys.differences(arguments), checks)
        self.repeat = define(text, names)

    def new_grid(self, key: GridKey | None) -> Grid | None:
        """The grid of a key, which is kept; None for one without a key, or that the long way must deal with."""
        if key is None:
            return None
        invocations, workgroups = (
            (None, key[1]) if isinstance(key, tuple) and key[:1] == ("workgroups",) else (key, None)
        )
        try:
            grid = plan_grid(
                self._kernel, self._workgroup_size, self.device.limits.max_workgroups, invocations, workgroups
            )
        except ArgumentError:
            return None
        if grid.is_folded or grid.is_empty:
            return None
        grid = grid.coarsened(self._kernel, self.plan.compiled.layout.coarsening, self.device.limits.max_workgroups)
        if len(self._grids) >= _MAX_GRIDS:
            self._grids.clear()
        self._grids[key] = grid
        return grid


def _repeat(
    launch: Launch,
    signature: Signature,
    array_checks: ArrayChecks,
    differences: tuple[list[str], dict[str, Any]],
    checks: Sequence[Callable[[Arguments], object]],
) -> tuple[str, dict[str, Any]]:
    """The text of `Launch.repeat`, and the names that it uses."""
    plan, device, variant = launch.plan, launch.device, launch.variant
    parameters = plan.text.parameters
    arrays = [(f"p{at}", each) for at, each in enumerate(signature.parameters) if isinstance(each, BufferParameter)]
    written = [array for array, each in arrays if each.mode != "in"]
    default = written[0] if len(written) == 1 and not plan.compiled.layout.counter else "None"
    waiting = {f"WAITING{number}": each for number, each in enumerate(device.waiting)}
    names: dict[str, Any] = {
        **plan.text.names, "Array": Array, "DEVICE": device, "LIMIT": device.limits.max_binding_size, "KEY": grid_key,
        "GRID": launch._grids.get, "NEW_GRID": launch.new_grid, "CHECKS": tuple(checks), "MISSING": _MISSING,
        **waiting, "COLLECT": device.collect_garbage, "ALIASES": array_checks.refuse_aliases,
        "DRIVER": device.driver_device, "PIPELINE": plan.compiled.pipeline, "REPORT": plan.dispatch,
    }  # fmt: skip
    wrong = [*differences[0], *[f"{array}.device is not DEVICE" for array, _ in arrays]]
    names |= differences[1]
    wrong += [f"len({array}.shape) != {each.rank}" for array, each in arrays]
    if device.limits.max_binding_size < device.limits.max_buffer_size:
        wrong += [f"{array}.nbytes > LIMIT or ({array}.start and {array}.buffer.nbytes > LIMIT)" for array, _ in arrays]
    wrong += [f"(s{array} := {array}._storage).is_closed" for array, _ in arrays]
    for number, item in enumerate({(id(item.home), item.name): item for item in variant.captured}.values()):
        names[f"V{number}"], names[f"READ{number}"] = item.value, item.reader()
        wrong.append(f"READ{number}({item.name!r}, MISSING) is not V{number}")
    lines = [f"if {' or '.join(wrong)}: return False"] if wrong else []
    storages = [f"s{array}" for array, _ in arrays]
    shared = [f"{a} is {b}" for a, b in itertools.combinations(storages, 2)]
    if written and shared:
        shared += [f"{storage}.is_adopted" for storage in storages] if device.driver_device.memory_space else []
        lines.append(f"if {' or '.join(shared)}: ALIASES([{', '.join(array for array, _ in arrays)}])")
    if checks:
        lines.append(f"for check in CHECKS: check(({parameters},))")
    lines += [
        f"key = invocations if invocations.__class__ is int and workgroups is None else "
        f"KEY(invocations, workgroups, {default})",
        "grid = GRID(key) or NEW_GRID(key)",
        "if grid is None: return False",
    ]
    if plan.condition:
        lines.append(f"if {'' if plan.is_fallback else 'not '}({plan.condition}): return False")
    body = "".join(f"        {line}\n" for line in lines)
    text = (
        "def made(arguments, invocations, workgroups):\n"
        f"    try:\n        {parameters}, = arguments\n{body}    except Exception: return False\n"
        f"    with DEVICE.lock:\n        if {' or '.join(waiting)}: COLLECT()\n"
        f"{_run(launch, [array for array, _ in arrays], names)}    return True\n"
    )
    return text, names


def _run(launch: Launch, arrays: Sequence[str], names: dict[str, Any]) -> str:
    """The text that packs the values and dispatches, within the lock."""
    plan, driver = launch.plan, launch.device.driver_device
    values, buffers = plan.text.values(), [f"{array}.buffer" for array in arrays]
    run = f"DRIVER.dispatch(PIPELINE, [{', '.join(buffers)}], data, grid.dispatched)"
    if plan.compiled.reporting is not None:
        run = f"REPORT(DEVICE, [{', '.join(buffers)}], data, grid, ({plan.text.parameters},))"
    lines = ["try: data = PACK(" + ", ".join(values) + ")", "except Exception: return False", run]
    layout = plan.compiled.layout
    packing = packer(layout.slots, layout.nbytes, len(arrays))
    found = None if plan.compiled.reporting is not None else driver.launcher(plan.compiled.pipeline, packing.size)
    if found is not None:
        names |= {"FILL": packing.pack_into, "BLOCK": found.block, "RUN": found.run}
        filled = ", ".join(["BLOCK", "0", *[f"{buffer}.address" for buffer in buffers], *values])
        quick = [f"try: FILL({filled})", "except Exception: return False", "RUN(grid.dispatched)"]
        lines = ["if DRIVER.is_plain:", *[f"    {line}" for line in quick], "else:", *[f"    {line}" for line in lines]]
    return "".join(f"        {line}\n" for line in lines)


def _checks(
    kernel: str, plan: Plan, signature: Signature, arguments: Arguments, variant: Specialised
) -> list[Callable[[Arguments], object]]:
    """What neither the checks of arrays nor packing check."""
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
    return checks


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
