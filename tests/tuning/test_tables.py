"""Tables of shapes that were tuned: on disk, in other processes, and in gp.matmul and gp.sort."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from kept_tables import check_results, check_switches, table_for

import gpucore as gp
from gpucore.algorithms import shapes
from gpucore.algorithms.kept_shapes import from_json, to_json
from gpucore.algorithms.shapes import SHIPPED, Shapes, Tile, set_shapes, shapes_of
from gpucore.runtime import tuned
from gpucore.testing import require_device
from gpucore.tuning import tables, workloads
from gpucore.tuning.steps import LOWER, UPPER, Step, steps_for, switch_point
from gpucore.tuning.tables import TableTuner, check_table, forget_table, keep_table, kept_table

NAMES = ["cpu", "opencl", "wgpu"]
AGAIN = """
import json, sys
from pathlib import Path
import gpucore as gp
from gpucore.algorithms.kept_shapes import to_json
from gpucore.algorithms.shapes import shapes_of
sys.path.insert(0, sys.argv[2])
from kept_tables import check_results
device = gp.device(sys.argv[1])
print(json.dumps(to_json(shapes_of(device), device)))
check_results(device)
"""


@pytest.fixture
def device(folder: Path) -> gp.Device:
    return require_device("cpu")


def entry_of(folder: Path) -> Path:
    """The file of the only table in the cache."""
    found = [path for path in folder.rglob("*") if path.is_file() and b'"kind": "shapes"' in path.read_bytes()[:300]]
    assert len(found) == 1
    return found[0]


# ---------------------------------------------------------------- without a table


@pytest.mark.parametrize("name", [*NAMES, "simulator"])
def test_without_an_entry_the_shapes_are_those_of_gpucore(folder: Path, name: str) -> None:
    device = require_device(name)
    if text := device.backend.shapes_for(device.info):  # a GPU's
        assert to_json(shapes_of(device), device) == to_json(from_json(json.loads(text), device), device)
    else:
        assert shapes_of(device) is SHIPPED[device.kind] is shapes.SHAPES[device.kind]


def test_without_an_entry_no_module_of_tables_is_loaded(folder: Path) -> None:
    code = (
        "import sys, numpy as np, gpucore as gp\n"
        "assert gp.sort(np.array([2, 1]), device='cpu').tolist() == [1, 2]\n"
        "print([name for name in sys.modules if name in ('gpucore.algorithms.kept_shapes', 'gpucore.tuning.tables')])"
    )
    require_device("cpu")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_entry_of_an_open_device_is_read_once(device: gp.Device, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_table(device, table_for(device))
    first, reads = shapes_of(device), []
    monkeypatch.setattr(shapes, "read_tuned", lambda info: reads.append(info))
    assert shapes_of(device) is first and reads == []
    set_shapes(device, None)
    assert shapes_of(device) is SHIPPED[device.kind] and len(reads) == 1


# ---------------------------------------------------------------- with a table


@pytest.mark.parametrize("name", NAMES)
def test_a_table_is_used_by_later_processes_and_results_are_right(folder: Path, name: str) -> None:
    device = require_device(name)
    table = table_for(device)
    assert keep_table(device, table)
    assert shapes_of(device).matmul == table.matmul and to_json(shapes_of(device), device) == to_json(table, device)
    check_results(device)
    here = str(Path(__file__).parent)
    command = [sys.executable, "-W", "ignore", "-c", AGAIN, name, here]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == to_json(table, device) != {"sort": {}, "matmul": {}}


def test_a_cache_that_is_off_has_no_table(device: gp.Device, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_table(device, table_for(device))
    for mode, has_table in (("off", False), ("ro", True), ("on", True)):
        monkeypatch.setenv("GPUCORE_CACHE", mode)
        set_shapes(device, None)
        assert (shapes_of(device) is not SHIPPED[device.kind]) is has_table


@pytest.mark.parametrize("mode", ["off", "ro"])
def test_what_cannot_be_kept_is_used_in_this_process(
    device: gp.Device, folder: Path, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    monkeypatch.setenv("GPUCORE_CACHE", mode)
    table = table_for(device)
    assert not keep_table(device, table)
    assert shapes_of(device).matmul == table.matmul and kept_table(device) is None


def test_a_damaged_entry_is_a_miss(device: gp.Device, folder: Path) -> None:
    keep_table(device, table_for(device))
    path = entry_of(folder)
    content = path.read_bytes()
    path.write_bytes(content[:-9] + bytes([content[-9] ^ 1]) + content[-8:])
    set_shapes(device, None)
    assert shapes_of(device) is SHIPPED[device.kind] and not path.exists()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"{\xff\xff", "utf-8"),
        (b"{", "Expecting property name"),
        (b"[" * 100_000, "recursion"),
        (b"[]", "the table is an object, not []"),
        (b'{"sort": {"radix_from": "256"}}', "sort.radix_from is a whole number from 0 to 2147483647, not '256'"),
        (b'{"sort": {"chunk": 0}}', "sort.chunk is a whole number from 1"),
        (b'{"matmul": {"large": 1}}', "matmul has the unknown field 'large'"),
        (b'{"matmul": {"tiles": []}}', "matmul.tiles is a list of one shape or more"),
    ],
    ids=["bytes", "no end", "deep", "list", "text", "zero", "unknown", "empty"],
)
def test_an_entry_that_is_no_table_is_ignored_with_a_line_in_the_log(
    device: gp.Device, caplog: pytest.LogCaptureFixture, content: bytes, reason: str
) -> None:
    tuned.write_tuned(device.info, content)
    set_shapes(device, None)
    with caplog.at_level(logging.DEBUG, "gpucore"):
        assert shapes_of(device) is SHIPPED[device.kind]
    (line,) = [record.message for record in caplog.records if "shapes" in record.message]
    assert line.startswith(f"the shapes that are kept for {device.id} are not used: ") and reason in line
    assert kept_table(device) is None


@pytest.mark.parametrize("fact", ["driver", "name", "api"])
def test_another_driver_has_another_entry(device: gp.Device, fact: str) -> None:
    keep_table(device, table_for(device))
    other = replace(device.info, **{fact: "another one"})
    assert tuned.read_tuned(other) is None
    assert tuned.read_tuned(replace(device.info, index=7, id="cpu:7")) == tuned.read_tuned(device.info) is not None
    tuned.write_tuned(other, b"{}")
    assert tuned.read_tuned(device.info) != tuned.read_tuned(other) == b"{}"


def test_a_table_of_the_program_counts_more(device: gp.Device, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_table(device, table_for(device))
    own, kept = Shapes(), shapes_of(device)
    with monkeypatch.context() as patch:
        patch.setitem(shapes.SHAPES, device.kind, own)
        assert shapes_of(device) is own is not kept
    assert to_json(shapes_of(device), device) == to_json(kept, device) != {"sort": {}, "matmul": {}}


def test_a_table_can_be_forgotten(device: gp.Device) -> None:
    keep_table(device, table_for(device))
    assert forget_table(device) and not forget_table(device)
    assert shapes_of(device) is SHIPPED[device.kind] and kept_table(device) is None


# ---------------------------------------------------------------- what a table may have


def changed(device: gp.Device, path: str, value: Any) -> Any:
    """The JSON of a table with one value changed: "matmul.tiles.0.own_m"."""
    data = to_json(table_for(device), device)
    *outer, last = path.split(".")
    place: Any = data
    for name in outer:
        place = place[int(name) if name.isdecimal() else name]
    if isinstance(place, list):
        place[int(last)] = value
    elif value is ...:
        del place[last]
    else:
        place[last] = value
    return data


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("extra", {}, "the table has the unknown field 'extra'; it may have sort, matmul"),
        ("sort.rows_one_by_one", 3, "sort has the unknown field 'rows_one_by_one'"),
        ("sort.chunk_bits", 12, r"sort\.chunk_bits is a whole number from 4 to 11, not 12"),
        ("sort.chunk_bits", True, "sort.chunk_bits is a whole number"),
        ("sort.chunk_bits", 8.0, "sort.chunk_bits is a whole number"),
        ("sort.chunk_bits", None, "sort.chunk_bits is a whole number"),
        ("sort.merge_block", 1000, r"sort\.merge_block is a whole number one of \(1024, 2048, 4096, 8192\), not 1000"),
        ("sort.sweeps", [{"smallest": 1, "invocations": 100, "per_invocation": 8, "with_values": 8}], "one of"),
        ("sort.sweeps", [{"smallest": 1, "invocations": 256, "per_invocation": 8}], "lacks with_values"),
        (
            "sort.sweeps",
            [
                {"smallest": n, "invocations": 256, "per_invocation": 8, "with_values": 8}
                for n in (5, 9)
            ],
            "in the order of `smallest`, the largest first",
        ),
        ("matmul.tiles", {}, "matmul.tiles is a list of one shape or more, not {}"),
        ("matmul.tiles.0", 3, r"matmul\.tiles\[0\] is an object, not 3"),
        ("matmul.tiles.0.colour", 3, r"matmul\.tiles\[0\] has the unknown field 'colour'"),
        ("matmul.tiles.0.own_m", ..., r"matmul\.tiles\[0\] lacks own_m"),
        ("matmul.tiles.0.own_m", 7, r"matmul\.tiles\[0\] does not fit: own_m does not divide tile_m"),
        ("matmul.tiles.0.own_n", 0, r"matmul\.tiles\[0\]\.own_n is a whole number from 1 to 64, not 0"),
        ("matmul.tiles.0.tile_m", -64, r"matmul\.tiles\[0\]\.tile_m is a whole number"),
        ("matmul.tiles.0.tile_k", 1 << 20, r"matmul\.tiles\[0\]\.tile_k is a whole number"),
        ("matmul.tiles.0.parts", 5, "parts does not divide tile_k"),
        ("matmul.tiles.0.gang", 3, "gang"),
        ("matmul.tiles.0.needs", "wings", r"matmul\.tiles\[0\]\.needs is a capability or null, not 'wings'"),
        ("matmul.tiles.0.needs", "matrix_groups", "cpu:0 lacks the capability matrix_groups"),
        ("matmul.units", [], "matmul.units is a list of one shape or more"),
        (
            "matmul.units",
            [{"tile_m": 64, "tile_n": 64, "tile_k": 64, "stages": 2, "invocations": 128, "min_workgroups": 1,
              "group": 8, "min_tiles": 0, "needs": None}],
            "cpu:0 has no units for products of matrices",
        ),
        ("matmul.split", [[3]], r"matmul\.split\[0\] is a list of a number of parts and a tile"),
        ("matmul.split", [[4, {}]], r"matmul\.split\[0\]\[0\] is a whole number from 1 to 3, not 4"),
    ],
)  # fmt: skip
def test_what_a_table_cannot_have_is_refused(device: gp.Device, path: str, value: Any, message: str) -> None:
    with pytest.raises(gp.ArgumentError, match=message):
        from_json(changed(device, path, value), device)


def test_tiles_beyond_the_limits_are_refused(device: gp.Device) -> None:
    lanes = device.limits.max_subgroup_size
    large = Tile(256, 1024, 128, 1, 1024 // lanes // 4, width=1, gang=lanes, parts=1, padding=16)
    table = replace(table_for(device), matmul=replace(table_for(device).matmul, tiles=(large,)))
    with pytest.raises(
        gp.ArgumentError, match=r"it takes \d+ invocations and \d+ bytes of workgroup memory, and cpu:0"
    ):
        from_json(to_json(table, device), device)
    with pytest.raises(gp.ArgumentError):
        keep_table(device, table)
    assert kept_table(device) is None


# ---------------------------------------------------------------- tuning


@pytest.fixture
def tuner(device: gp.Device, monkeypatch: pytest.MonkeyPatch) -> TableTuner:
    """A tuner of a few small sizes, which takes little time."""
    monkeypatch.setattr(tables, "_QUICK_LIMIT", 0.0)
    return TableTuner(device, ["sort"], [64, 512, 4096], is_quick=True)


def test_a_tuned_table_is_one_that_can_be_kept(tuner: TableTuner) -> None:
    texts = list(tuner.run())
    assert texts[0] == "sort, whole: whole_bits, 4096" and texts[-1] == "whole results with the table"
    assert len(texts) == tuner.count_steps() and {report.size for report in tuner.reports} == {64, 512, 4096}
    assert all(trial.is_right for report in tuner.reports for trial in report.tuning.trials)
    assert shapes_of(tuner.device) is SHIPPED[tuner.device.kind], "nothing is used before it is kept"
    assert tuner.keep() and to_json(shapes_of(tuner.device), tuner.device) == to_json(tuner.shapes, tuner.device)
    check_results(tuner.device)


def test_a_value_whose_result_is_wrong_is_never_chosen(tuner: TableTuner, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those with digits of 8 bits; they are the fastest, by the clock."""
    check = workloads.Keys.check

    def check_bits(self: workloads.Keys, result: gp.Array) -> str:
        return "wrong bits" if shapes_of(tuner.device).sort.whole_bits == 8 else check(self, result)

    monkeypatch.setattr(workloads.Keys, "check", check_bits)
    list(tuner.run())
    first = tuner.reports[0]
    assert [(trial.candidate.value, trial.reason) for trial in first.tuning.trials if not trial.is_right] == [
        ((8,), "wrong bits")
    ]
    assert tuner.shapes.sort.whole_bits != 8


def test_a_table_whose_result_is_wrong_at_an_odd_size_is_not_kept(
    tuner: TableTuner, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = workloads.Keys.check

    def check_odd(self: workloads.Keys, result: gp.Array) -> str:
        return "odd" if result.size % 2 else check(self, result)

    monkeypatch.setattr(workloads.Keys, "check", check_odd)
    with pytest.raises(gp.TuningError, match="at an odd size, odd"):
        list(tuner.run())
    with pytest.raises(gp.TuningError, match="sort on cpu:0 is wrong with the table: whole: whole_bits, odd"):
        check_table(tuner.device, tuner.shapes, ["sort"])
    assert shapes_of(tuner.device) is SHIPPED[tuner.device.kind] and kept_table(tuner.device) is None


def test_sizes_that_no_step_has_are_refused(device: gp.Device) -> None:
    with pytest.raises(gp.ArgumentError, match="nothing is tuned at these sizes; there are 64, 512"):
        TableTuner(device, ["sort"], [3], is_quick=True)


def test_the_simulator_is_not_tuned(folder: Path) -> None:
    with pytest.raises(gp.ArgumentError, match="simulator:0 is not tuned: it runs kernels in Python"):
        TableTuner(gp.device("simulator"), ["sort"])


# ---------------------------------------------------------------- steps


def step_of(device: gp.Device, algorithm: str, what: str) -> Step:
    (step,) = [step for step in steps_for(device, algorithm, False) if step.what == what]
    return step


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("algorithm", ["matmul", "sort"])
def test_each_value_that_is_tried_counts_where_it_is_measured(folder: Path, name: str, algorithm: str) -> None:
    """The first value at a size is what the table has, each table can be kept, and no two are the same."""
    device = require_device(name)
    for step in steps_for(device, algorithm, False):
        for size in step.sizes:
            values = step.values(SHIPPED[device.kind], size)
            made = [step.put(SHIPPED[device.kind], size, value) for value in values]
            assert len(values) == len(set(values)) >= 2
            texts = {json.dumps(to_json(each, device)) for each in made}
            assert len(texts) == len(values)
            for each in made:
                from_json(to_json(each, device), device)


def test_tiles_count_from_the_smallest_size_at_which_they_were_the_best(device: gp.Device) -> None:
    step, before = step_of(device, "matmul", "tiles of f32"), SHIPPED[device.kind]
    values = [tile for tile in step.values(before, 512) if tile.tile_m == 64][:2]
    made = step.conclude(before, {256: values[0], 512: values[0], 1024: values[1], 2048: values[1]})
    for size, value in {256: values[0], 512: values[0], 1024: values[1], 4096: values[1]}.items():
        assert step.values(made, size)[0] == value
    for size in (32, 128):
        assert step.values(made, size)[0] == step.values(before, size)[0], "smaller products are as before"
    other = step_of(device, "matmul", "tiles of f64") if device.supports("f64") else None
    assert other is None or other.values(made, 512)[0] == other.values(before, 512)[0]


@pytest.mark.parametrize(
    ("sides", "now", "point"),
    [
        ({64: LOWER, 128: LOWER, 256: UPPER}, 128, 256), ({64: LOWER, 128: UPPER, 256: UPPER}, 100, 100),
        ({64: LOWER, 128: LOWER, 256: LOWER}, 128, 512), ({64: LOWER, 128: LOWER, 256: LOWER}, 1000, 1000),
        ({64: UPPER, 128: UPPER}, 256, 64), ({64: UPPER, 128: UPPER}, 2, 2), ({64: UPPER, 128: UPPER}, None, 64),
        ({64: UPPER, 128: LOWER, 256: UPPER}, 256, 256), ({64: LOWER, 128: UPPER, 256: LOWER, 512: UPPER}, 64, 128),
    ],
)  # fmt: skip
def test_a_switch_point_agrees_with_most_sizes(sides: dict[int, str], now: int | None, point: int) -> None:
    assert switch_point(sides, now) == point


@pytest.mark.parametrize("name", NAMES)
def test_arrays_between_two_sizes_are_sorted_as_one_of_them(folder: Path, name: str) -> None:
    """Below a switch point, too: up to it by the method that was measured there, and not by a third one."""
    check_switches(require_device(name))


@pytest.mark.parametrize("field", ["radix_from", "chunks_from"])
def test_switch_points_of_sorts(device: gp.Device, field: str) -> None:
    step, before = step_of(device, "sort", field), SHIPPED[device.kind]
    size = step.sizes[2]
    best = {each: UPPER if each >= size else LOWER for each in step.sizes}
    made = step.conclude(before, best)
    assert {each: step.values(made, each)[0] for each in step.sizes} == best
