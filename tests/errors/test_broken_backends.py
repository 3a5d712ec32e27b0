"""Backends that break their contract while a kernel is compiled: an EmitError names the backend."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import gpucore as gp
from gpucore import ir
from gpucore.runtime import Device, DeviceInfo, Pipeline, ProbeResult, ProbeStatus, Source
from gpucore.simulator.device import SimulatorDevice, device_info
from gpucore.simulator.plugin import SimulatorBackend

Step = Callable[[Callable[..., Any]], Any]


class BrokenDevice(SimulatorDevice):
    def __init__(self, info: DeviceInfo, compiling: Step) -> None:
        super().__init__()
        self.info, self.compiling = info, compiling

    def compile(self, source: Source) -> Any:
        return self.compiling(lambda: super(BrokenDevice, self).compile(source))


class BrokenBackend(SimulatorBackend):
    """The simulator, of which one step does what `breaking` says, given a call that does the step."""

    name, language = "broken_contract", "broken_python"

    def __init__(self, step: str, breaking: Step) -> None:
        self.steps: dict[str, Step] = {step: breaking}

    def _do(self, step: str, work: Callable[..., Any]) -> Any:
        return self.steps.get(step, lambda work: work())(work)

    def info(self) -> DeviceInfo:
        return dataclasses.replace(device_info(), id=f"{self.name}:0", backend=self.name)

    def probe(self) -> ProbeResult:
        return ProbeResult(ProbeStatus.AVAILABLE, (self.info(),))

    def open(self, index: int) -> Device:
        return BrokenDevice(self.info(), lambda work: self._do("compile", work))

    def prepare(self, valid: ir.ValidModule, device: DeviceInfo | None) -> ir.Module:
        made: ir.Module = self._do("prepare", lambda: valid.module)
        return made

    def emit(self, module: ir.ValidModule, device: DeviceInfo | None = None) -> Source:
        made: Source = self._do("emit", lambda: super(BrokenBackend, self).emit(module, device))
        return made


def lacks_an_entry(work: Callable[..., Any]) -> Any:
    return {}[ir.MathOp.SIN]


def finds_no_attribute(work: Callable[..., Any]) -> Any:
    return None.entry  # type: ignore[attr-defined]


def fails_an_assertion(work: Callable[..., Any]) -> Any:
    assert work is None, "an operation that it does not know"


def returns_nothing(work: Callable[..., Any]) -> Any:
    work()


VERBS = {"prepare": "prepare", "emit": "write", "compile": "compile"}


@pytest.fixture
def broken() -> Iterator[Callable[[str, Step], BrokenBackend]]:
    made = []

    def register(step: str, breaking: Step) -> BrokenBackend:
        made.append(BrokenBackend(step, breaking))
        gp.register_backend(made[-1])
        return made[-1]

    yield register
    for backend in made:
        gp.device(backend.name).close()
        gp.unregister_backend(backend.name)


@gp.kernel(workgroup_size=4)
def doubled(x: gp.InOut[gp.f32]):
    x[gp.local_id(0)] = gp.sin(x[gp.local_id(0)]) * 2.0


@pytest.mark.parametrize("step", VERBS)
@pytest.mark.parametrize(
    ("breaking", "story"),
    [
        (lacks_an_entry, r"KeyError.*SIN"),
        (finds_no_attribute, "AttributeError"),
        (fails_an_assertion, "AssertionError"),
        (returns_nothing, "returned NoneType, not a "),
    ],
)
def test_a_broken_step_is_an_error_that_names_the_backend(
    broken: Callable[[str, Step], BrokenBackend], step: str, breaking: Step, story: str
) -> None:
    backend = broken(step, breaking)
    x = gp.zeros(4, device=backend.name)
    wanted = rf"GP603\]: the backend 'broken_contract' failed to {VERBS[step]} doubled: (.|\n)*{story}"
    with pytest.raises(gp.EmitError, match=wanted) as caught:
        doubled(x, workgroups=1)
    assert caught.value.span is not None
    assert (caught.value.__cause__ is None) == (breaking is returns_nothing)
    backend.steps.clear()
    doubled(x, workgroups=1)
    assert x.numpy().tolist() == [0.0] * 4


@pytest.mark.parametrize("step", ["prepare", "emit"])
def test_so_is_one_without_a_device(broken: Callable[[str, Step], BrokenBackend], step: str) -> None:
    backend = broken(step, lacks_an_entry)
    with pytest.raises(gp.EmitError, match=f"'broken_contract' failed to {VERBS[step]} doubled"):
        doubled.source(backend.name)


@pytest.mark.parametrize("step", VERBS)
def test_gpucores_own_errors_pass_as_they_are(broken: Callable[[str, Step], BrokenBackend], step: str) -> None:
    refusal = gp.EmitError("GP601", "this backend cannot express sin", None)

    def refuse(work: Callable[..., Any]) -> Pipeline:
        raise refusal

    backend = broken(step, refuse)
    with pytest.raises(gp.EmitError) as caught:
        doubled(gp.zeros(4, device=backend.name), workgroups=1)
    assert caught.value is refusal
