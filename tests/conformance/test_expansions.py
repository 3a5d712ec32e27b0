"""Backends that write only the required functions pass the behaviours of those that core writes in older ones."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import pytest

import gpucore as gp
from gpucore.ir import FUNCTIONS, Call, MathOp, ValidModule, Value, expansions, walk
from gpucore.ir.ops import Domain, argument_types
from gpucore.ir.types import F32, F64, I32, I64, U32, U64, ScalarType
from gpucore.runtime import Backend, Device, DeviceInfo, ProbeResult, Source
from gpucore.runtime.plugins.manager import TABLE
from gpucore.testing import ConformanceTests, require_device, run_behaviours
from gpucore.testing.behaviours import list_behaviours

_NEW = {op.value for op in MathOp} - {op.value for op in expansions.required()}
_BEHAVIOURS = {
    behaviour.number
    for behaviour in list_behaviours(ConformanceTests)
    if any(name in behaviour.text for name in _NEW) or behaviour.number in ("C476", "C477", "C478")
}


def plain(name: str, writes: frozenset[MathOp] = expansions.required()) -> Backend:
    """The installed backend of that name as it would be if it wrote those functions only."""
    inner: Any = TABLE.find(name)[1]

    def named(info: DeviceInfo) -> DeviceInfo:
        return dataclasses.replace(info, id=f"plain_{info.id}", backend=f"plain_{info.backend}")

    class Plain(type(inner)):  # type: ignore[misc]
        operations = writes

        def __init__(self) -> None:
            vars(self).update(vars(inner))
            self.name, self.language = f"plain_{name}", f"plain_{inner.language}"

        def probe(self) -> ProbeResult:
            found = inner.probe()
            return dataclasses.replace(found, devices=tuple(map(named, found.devices)))

        def open(self, index: int) -> Device:
            device: Device = inner.open(index)
            device.info = named(device.info)
            return device

        def emit(self, module: ValidModule, device: DeviceInfo | None = None) -> Source:
            called = {
                node.op
                for statement in walk.statements(module.module.body)
                for expr in walk.expressions(statement)
                for node in walk.subexpressions(expr)
                if isinstance(node, Call)
            }
            assert called <= self.operations
            return dataclasses.replace(inner.emit(module, device), language=self.language)

    return Plain()


@pytest.fixture(params=["simulator", "cpu", "opencl", "wgpu"])
def device(request: pytest.FixtureRequest) -> Iterator[gp.Device]:
    require_device(request.param)
    backend = plain(request.param)
    gp.register_backend(backend)
    try:
        opened = gp.device(backend.name)
        yield opened
        opened.close()
    finally:
        gp.unregister_backend(backend.name)


def test_behaviours_of_functions_that_a_backend_does_not_write(device: gp.Device) -> None:
    outcomes = run_behaviours(ConformanceTests, device, _BEHAVIOURS)
    assert len(outcomes) > 15
    assert {outcome.behaviour.number: outcome.reason for outcome in outcomes if outcome.status == "failed"} == {}
    assert sum(outcome.status == "passed" for outcome in outcomes) > 12


def test_a_function_that_nothing_stands_in_for_is_refused() -> None:
    @gp.kernel
    def kernel(x: gp.InOut[gp.f32]) -> None:
        x[0] = gp.erf(x[0])

    gp.register_backend(plain("simulator", expansions.required() - {MathOp.ERF}))
    try:
        x = gp.ones(1, device="plain_simulator")
        with pytest.raises(gp.EmitError) as caught:
            kernel(x, invocations=1)
    finally:
        gp.unregister_backend("plain_simulator")
    assert caught.value.code == "GP601"
    assert "does not implement erf" in str(caught.value)
    assert "x[0] = gp.erf(x[0])" in str(caught.value)


@pytest.mark.parametrize("op", [op for op in MathOp if op not in expansions.required()], ids=str)
def test_expansions_use_required_functions_only(op: MathOp) -> None:
    expand = expansions.find(op)
    assert expand is not None
    types: tuple[ScalarType, ...] = {Domain.FLOATS: (F32, F64), Domain.WORDS: (U32,)}.get(
        FUNCTIONS[op].domain, (I32, U32, I64, U64)
    )
    for type in types:
        bound: list[Any] = []

        def let(name: str, expr: Any) -> Value:
            bound.append(expr)  # noqa: B023 (called at once)
            return Value(len(bound) + 10, name, expr.type)  # noqa: B023

        arguments = [Value(index, "x", kind) for index, kind in enumerate(argument_types(op, type))]
        made = [expand(let, *arguments), *bound]
        calls = {node.op for expr in made for node in walk.subexpressions(expr) if isinstance(node, Call)}
        assert calls <= expansions.required()
