"""Tables with tiles of units: of each dtype those that a device can multiply in, and no others."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import gpucore as gp
from gpucore.algorithms.kept_shapes import from_json, to_json
from gpucore.algorithms.matmul.by_units import unit_tiles
from gpucore.algorithms.shapes import SHIPPED, UnitTile, set_shapes
from gpucore.runtime.registry import OpenDevice
from gpucore.simulator.device import COOPERATIVE_VARIABLE
from gpucore.simulator.plugin import SimulatorBackend
from gpucore.testing.shape_tables import check_shapes
from gpucore.tuning.steps import steps_for

FIELDS = ("units", "doubles", "rounded", "split")
FITTING = {
    "units": {"tile_m": 16, "tile_n": 48, "tile_k": 16, "stages": 3, "invocations": 32},
    "doubles": {"tile_m": 48, "tile_n": 16, "tile_k": 8, "stages": 2, "invocations": 96},
    "rounded": {"tile_m": 16, "tile_n": 32, "tile_k": 8, "stages": 2, "invocations": 64},
    "split": {"tile_m": 16, "tile_n": 64, "tile_k": 64, "stages": 2, "invocations": 32},
}
ODD = {"units": (1, 1), "doubles": (7, 13), "rounded": (8, 8), "split": (8, 64)}
"""Tiles with sides that no subgroup has blocks of."""


@pytest.fixture
def device() -> gp.Device:
    return gp.device("simulator")


def table(field: str, **changes: Any) -> Any:
    tile = {**FITTING[field], **changes}
    return {"matmul": {field: [[3, tile]] if field == "split" else [tile]}}


@pytest.mark.parametrize("field", FIELDS)
def test_a_tile_that_fits_is_kept_and_its_products_are_right(device: gp.Device, field: str) -> None:
    shapes = from_json(table(field), device)
    data = to_json(shapes, device)
    assert list(data["matmul"]) == [field] and from_json(data, device) == shapes
    tile = getattr(shapes.matmul, field)[0]
    assert (tile[1] if field == "split" else tile) == UnitTile(**FITTING[field])
    check_shapes(device, json.dumps(data))


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("case", ["odd", "most sums", "invocations"])
def test_a_tile_whose_sums_no_workgroup_holds_is_refused(device: gp.Device, field: str, case: str) -> None:
    """256 sums of an invocation are the most, and the invocations are whole subgroups that share whole blocks."""
    m, n = ODD[field]
    changes = {
        "odd": {"tile_m": m, "tile_n": n},
        "most sums": {"tile_m": 128, "tile_n": 128, "invocations": 32},
        "invocations": {"tile_m": 16, "tile_n": 64, "invocations": 256},
    }[case]
    count = changes.get("invocations", FITTING[field]["invocations"])
    with pytest.raises(gp.ArgumentError, match=f"does not fit: {count} invocations cannot have .* sums"):
        from_json(table(field, **changes), device)


def test_as_many_sums_as_an_invocation_may_have(device: gp.Device) -> None:
    assert from_json(table("units", tile_m=64, tile_n=128, tile_k=16, invocations=32), device)


def test_tiles_for_groups_are_multiplied_by_groups(simulator_with_groups: gp.Device) -> None:
    """What is stored as words by a group of four subgroups has its layout."""
    groups = {"needs": "matrix_groups", "tile_m": 64, "tile_k": 64, "invocations": 128}
    for n in (64, 128, 256):
        assert from_json(table("units", tile_n=n, **groups), simulator_with_groups)
    for n in (96, 136, 512):
        with pytest.raises(gp.ArgumentError, match=r"it needs matrix_groups, and groups|128 invocations"):
            from_json(table("units", tile_n=n, **groups), simulator_with_groups)
    with pytest.raises(gp.ArgumentError, match="cannot have 64x8 sums"):
        from_json(table("units", **{**groups, "needs": None, "tile_n": 8}), simulator_with_groups)
    with pytest.raises(gp.ArgumentError, match="it needs matrix_groups, and groups"):  # which do not multiply f64
        from_json(table("doubles", **{**groups, "tile_n": 64, "tile_k": 16}), simulator_with_groups)


def test_devices_of_cooperative_matrices_have_tiles_of_units_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(COOPERATIVE_VARIABLE, "8")
    backend = SimulatorBackend()
    with gp.Device(OpenDevice(backend.open(0), backend)) as device:
        assert from_json(table("units", stages=2), device)
        with pytest.raises(gp.ArgumentError, match="32 invocations cannot have 4x8 sums"):
            from_json(table("units", stages=2, tile_m=4, tile_n=8), device)
        for field in FIELDS[1:]:
            with pytest.raises(gp.ArgumentError, match=r"has no units for products of matrices of (f64|f32|bf16)"):
                from_json(table(field), device)


def test_f64_and_f32_that_units_round_are_tuned(device: gp.Device, monkeypatch: pytest.MonkeyPatch) -> None:
    """The latter where no groups multiply f32 as sums of parts."""
    facts = {"kind": gp.DeviceKind.GPU, "backend": "pretended"}
    monkeypatch.setattr(device, "_info", replace(device.info, **facts))
    steps = {step.what: step for step in steps_for(device, "matmul", False)}
    before = SHIPPED[gp.DeviceKind.GPU]
    for field, dtype in (("doubles", "f64"), ("rounded", "f32")):
        step = steps[f"tiles of units, {dtype}"]
        values = step.values(before, step.sizes[0])
        made = step.put(before, step.sizes[0], values[1])
        assert len(values) > 2 and getattr(made.matmul, field) == (values[1],)
        assert from_json(to_json(made, device), device) == made
        best = {size: values[number % 2] for number, size in enumerate(step.sizes)}
        concluded = step.conclude(before, best)
        assert {size: step.values(concluded, size)[0] for size in best} == best


def test_an_accepted_tile_is_used(device: gp.Device) -> None:
    """A product of f64 in the tile of a table, and not in gpucore's own."""
    shapes = from_json(table("doubles"), device)
    set_shapes(device, shapes)
    try:
        assert unit_tiles(device, gp.f64) == [UnitTile(**FITTING["doubles"])]
        a, b = np.full((3, 9), 2.0), np.full((9, 5), 3.0)
        assert np.array_equal(gp.matmul(a, b, device=device), a @ b)
    finally:
        set_shapes(device, None)
