"""Runs a program on several devices and compares what it leaves in memory with the reference's."""

from __future__ import annotations

import contextlib
import functools
import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from fuzz_program import BF16, Host, Outcome, Program, Tolerance

import gpucore as gp
from gpucore import compiler, ir, passes
from gpucore.errors import BackendUnavailableError
from gpucore.runtime.registry import OpenDevice
from gpucore.simulator.device import GROUPS_VARIABLE
from gpucore.simulator.plugin import SimulatorBackend
from gpucore.testing.checks import ulp_error

DEVICES_VARIABLE = "FUZZ_DEVICES"
DEFAULT_DEVICES = ("cpu", "wgpu", "opencl")
OPTIMISED = "optimised"
REMEMBERED = 8


class OptimisedSimulator(SimulatorBackend):
    """The simulator on the IR that other backends get, after all passes."""

    name = OPTIMISED
    wants_unoptimised_ir = False
    coarsens = True


@functools.cache
def reference() -> gp.Device:
    """The simulator, on IR that has every variable of the program's."""
    return gp.device("simulator")


@functools.cache
def devices() -> dict[str, gp.Device]:
    """The devices to compare, by name: those of FUZZ_DEVICES, which must be there, or all that are.

    Always with the simulator on optimised IR, which finds faults of the passes.
    """
    wanted = [name.strip() for name in os.environ.get(DEVICES_VARIABLE, "").split(",") if name.strip()]
    backend = OptimisedSimulator()
    found = {OPTIMISED: gp.Device(OpenDevice(backend.open(0), backend))}
    for name in wanted or DEFAULT_DEVICES:
        try:
            found[name] = gp.device(name)
        except BackendUnavailableError:
            if wanted:
                raise
    return found


@contextlib.contextmanager
def _groups() -> Iterator[None]:
    """In which simulators that are opened have groups of 128 invocations that multiply matrices."""
    before = os.environ.get(GROUPS_VARIABLE)
    os.environ[GROUPS_VARIABLE] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[GROUPS_VARIABLE]
        else:
            os.environ[GROUPS_VARIABLE] = before


@functools.cache
def group_devices() -> dict[str, gp.Device]:
    """Simulators with such groups: on the IR as it is, and optimised."""
    with _groups():
        backends = {"by groups": SimulatorBackend(), "optimised, by groups": OptimisedSimulator()}
        return {name: gp.Device(OpenDevice(backend.open(0), backend)) for name, backend in backends.items()}


@contextlib.contextmanager
def simulator_of_groups() -> Iterator[None]:
    """In which `gp.device("simulator")`, on which `gp.check` runs, has such groups."""
    with _groups():
        _reopen()
        yield
    _reopen()


def _reopen() -> None:
    gp.device("simulator").close()
    reference.cache_clear()


@dataclass(frozen=True)
class Difference:
    """What a device did otherwise than the reference."""

    device: str
    story: str
    is_error: bool = False  # it raised; without, it computed something else


def _remembering(function: Callable[..., ir.Module]) -> Callable[..., ir.Module]:
    """The function, which gives what it gave before for each of the last few modules."""
    known: dict[tuple[object, ...], tuple[ir.Module, ir.Module]] = {}

    def remembering(module: ir.Module, **options: bool) -> ir.Module:
        key = (id(module), *sorted(options.items()))
        if key not in known:
            if len(known) >= REMEMBERED:
                del known[next(iter(known))]
            known[key] = module, function(module, **options)
        return known[key][1]

    return remembering


# Several devices get the same module: the passes, which take most of the time, run once for all.
compiler.optimise, passes.clamp_indices = _remembering(compiler.optimise), _remembering(passes.clamp_indices)


def compare(program: Program, names: tuple[str, ...] | None = None) -> list[Difference]:
    """Where the devices (or only those in `names`) differ from the reference; [] for agreement."""
    kernel, module = program.build()
    expected = program.run(kernel, module, reference())
    found = []
    for name, device in {**devices(), **(group_devices() if program.of_groups else {})}.items():
        if (names is not None and name not in names) or not program.capabilities <= device.capabilities:
            continue
        # The simulator, which always debugs, is not asked twice.
        for is_debugged in (False, True)[: 1 + (program.is_debugged and name != OPTIMISED)]:
            kernel.debug = is_debugged
            try:
                actual = program.run(kernel, module, device)
            except gp.GpucoreError as error:
                found.append(Difference(name, f"{_mode(is_debugged)}{type(error).__name__}: {error}", is_error=True))
                continue
            story = _differences(expected, actual, program.tolerances)
            if is_debugged and actual.printed != expected.printed:
                story += _story_of_prints(expected.printed, actual.printed)
            if story:
                found.append(Difference(name, _mode(is_debugged) + story))
    return found


def _mode(is_debugged: bool) -> str:
    return "with debug: " if is_debugged else ""


def _story_of_prints(expected: list[str], actual: list[str]) -> str:
    more, less = Counter(actual) - Counter(expected), Counter(expected) - Counter(actual)
    return f"printed {list(more)[:3]}, and the simulator {list(less)[:3]}"


def _differences(expected: Outcome, actual: Outcome, tolerances: dict[str, Tolerance]) -> str:
    lines = []
    for name, want in expected.values.items():
        have = actual.values[name]
        wrong = ~_agree(want, have, tolerances.get(name))
        for place in np.argwhere(wrong)[:3]:
            at = tuple(place)
            lines.append(f"{name}[{', '.join(map(str, at))}] is {have[at]}, and {want[at]} on the simulator")
    return "\n".join(lines)


def _agree(want: Host, have: Host, tolerance: Tolerance | None) -> Host:
    """Integers to the last bit; floats as numbers (devices may drop the sign of a zero, and NaN has many bits)."""
    if want.dtype == BF16:
        want, have = want.astype(np.float32), have.astype(np.float32)
    if want.dtype.kind != "f":
        return np.asarray(want == have)
    same = (want == have) | (np.isnan(want) & np.isnan(have))
    if tolerance is not None:
        near = np.abs(have.astype(np.float64) - want.astype(np.float64)) <= tolerance.absolute
        same |= near | (ulp_error(have, want.astype(np.float64)) <= tolerance.ulp + 1)  # the reference is rounded too
    return np.asarray(same)
