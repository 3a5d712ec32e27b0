"""The steps for GPUs, on a simulator that says it is one: units for matrices, and sorts by digits. Its times do not
count; what is tested is that each table works, and that results with it are right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from kept_tables import check_switches

import gpucore as gp
from gpucore.algorithms.kept_shapes import from_json, to_json
from gpucore.algorithms.matmul import by_units
from gpucore.algorithms.matmul import space as products
from gpucore.algorithms.shapes import SHIPPED, Shapes, UnitTile, set_shapes, shapes_of
from gpucore.algorithms.sort import space as sorts
from gpucore.runtime.registry import OpenDevice
from gpucore.simulator.device import GROUPS_VARIABLE
from gpucore.simulator.plugin import SimulatorBackend
from gpucore.tuning import tables
from gpucore.tuning.steps import steps_for
from gpucore.tuning.tables import TableTuner, kept_table
from gpucore.tuning.workloads import Product

GROUPS = gp.Capability.MATRIX_GROUPS


@pytest.fixture
def gpu(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[gp.Device]:
    """With units of four subgroups, as GPUs of compute capability 9.0."""
    monkeypatch.setenv(GROUPS_VARIABLE, "1")
    monkeypatch.setattr(tables, "_QUICK_LIMIT", 0.0)
    backend = SimulatorBackend()
    with gp.Device(OpenDevice(backend.open(0), backend)) as device:
        facts = {"kind": gp.DeviceKind.GPU, "backend": "pretended", "workgroups_progress": True}
        monkeypatch.setattr(device, "_info", replace(device.info, **facts))
        yield device


@pytest.mark.parametrize(
    ("algorithm", "whats"),
    [
        (
            "matmul",
            [
                "tiles of f32",
                "tiles of units, bf16",
                "tiles of units, f64",
                *(f"tiles of units, f32 {p}" for p in ("highest", "high", "fast")),
            ],
        ),
        ("sort", ["sweeps: tiles", "sweeps: smallest"]),
    ],
)
def test_each_table_of_each_step_can_be_kept(gpu: gp.Device, algorithm: str, whats: list[str]) -> None:
    before = SHIPPED[gpu.kind]
    found = steps_for(gpu, algorithm, False)
    assert [step.what for step in found] == whats
    for step in found:
        for size in step.sizes:
            values = step.values(before, size)
            made = [step.put(before, size, value) for value in values]
            assert len({str(to_json(each, gpu)) for each in made}) == len(values) >= 2
            for each in made:
                from_json(to_json(each, gpu), gpu)
        best = {size: step.values(before, size)[number % 2] for number, size in enumerate(step.sizes)}
        table = step.conclude(before, best)
        assert to_json(from_json(to_json(table, gpu), gpu), gpu) == to_json(table, gpu)
        assert {size: step.values(table, size)[0] for size in best} == best or "smallest" in step.what


@pytest.mark.parametrize("progress", [True, False])
def test_arrays_between_two_sizes_are_sorted_as_one_of_them(
    gpu: gp.Device, monkeypatch: pytest.MonkeyPatch, progress: bool
) -> None:
    monkeypatch.setattr(gpu, "_info", replace(gpu.info, workgroups_progress=progress))
    check_switches(gpu)


def test_sorts_by_digits_are_tuned_and_right(gpu: gp.Device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sorts, "DIGITS", sorts.DIGITS[:2])
    monkeypatch.setitem(sorts.SIZES, "tiles", (9, 9))
    monkeypatch.setitem(sorts.SIZES, "smallest", (8, 8))
    tuner = TableTuner(gpu, ["sort"], is_quick=True)
    list(tuner.run())
    assert [(report.what, report.size) for report in tuner.reports] == [
        ("sweeps: tiles", 512), ("sweeps: smallest", 256),
    ]  # fmt: skip
    assert all(trial.is_right for report in tuner.reports for trial in report.tuning.trials)
    assert tuner.keep() and kept_table(gpu) == to_json(tuner.shapes, gpu)


def test_tiles_of_units_are_tuned_and_right(gpu: gp.Device, monkeypatch: pytest.MonkeyPatch) -> None:
    tiles = [UnitTile(32, 32, 16, 2, 128), UnitTile(64, 64, 64, 2, 128, needs=GROUPS), UnitTile(32, 32, 32, 2, 128)]
    monkeypatch.setattr(products, "unit_tiles", lambda: tiles)
    monkeypatch.setattr(products, "double_tiles", list)
    monkeypatch.setattr(products, "register_tiles", lambda lanes, nbytes: [])
    monkeypatch.setitem(products.SIZES, gpu.kind, (32,))
    monkeypatch.setitem(products.QUICK_SIZES, gpu.kind, (32,))
    tuner = TableTuner(gpu, ["matmul"])
    monkeypatch.setattr(tuner, "_limit", 0.0)
    list(tuner.run())
    (report,) = tuner.reports
    assert report.what == "tiles of units, bf16" and {trial.candidate.value for trial in report.tuning.trials} >= {
        *tiles
    }
    assert all(trial.is_right for trial in report.tuning.trials)
    assert tuner.keep() and shapes_of(gpu).matmul.units == tuner.shapes.matmul.units
    product = Product(gpu, (35, 40, 37), gp.bf16)
    assert product.check(product.run(*product.arrays)) == ""


def test_tiles_of_registers_are_measured_without_units(gpu: gp.Device, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where units multiply f32."""
    kinds: list[str] = []
    real = by_units.multiply
    monkeypatch.setattr(by_units, "multiply", lambda *given: kinds.append(given[1]) or real(*given))
    shapes = replace(SHIPPED[gpu.kind], matmul=replace(SHIPPED[gpu.kind].matmul, large=1, split_from=1))
    set_shapes(gpu, shapes)
    (step,) = (step for step in steps_for(gpu, "matmul", True) if step.what == "tiles of f32")
    for workload in step.workloads(gpu, 33):
        assert workload.check(workload.run(*workload.arrays)) == ""
    assert kinds == []


def chosen(shapes: Shapes, size: int) -> UnitTile:
    count = {tile: -(-size // tile.tile_m) * -(-size // tile.tile_n) for tile in shapes.matmul.units}
    return next(tile for tile in shapes.matmul.units if count[tile] >= tile.min_tiles)


def test_larger_products_than_were_measured_keep_their_tiles(gpu: gp.Device) -> None:
    step = next(step for step in steps_for(gpu, "matmul", True) if step.what == "tiles of units, bf16")
    before = SHIPPED[gpu.kind]
    best = UnitTile(64, 64, 64, 2, 128, needs=GROUPS)
    made = step.conclude(before, {256: best, 512: best})
    assert replace(chosen(made, 512), min_tiles=0) == replace(chosen(made, 600), min_tiles=0) == best
    assert [chosen(made, size) for size in (2048, 4096)] == [chosen(before, size) for size in (2048, 4096)]
    assert chosen(before, 512) != best
