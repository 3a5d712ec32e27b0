"""`gpucore tune`: the table and the figures, and what is kept, written, read and removed."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fake_backend import FakeBackend

import gpucore as gp
from gpucore.algorithms.matmul import space
from gpucore.algorithms.shapes import SHIPPED, shapes_of
from gpucore.testing import require_device
from gpucore.tuning import tables, workloads
from gpucore.tuning.tables import keep_table, kept_table
from gpucore.version import __version__

SORT = ("sort", "--quick", "--sizes", "64", "2^9", "--device", "cpu")
FOR_CPU = ("--device", "cpu")


@pytest.fixture(autouse=True)
def folder(tables_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache, which is on. Rounds take no longer than they must."""
    monkeypatch.setattr(tables, "_QUICK_LIMIT", 0.0)
    return tables_folder


@pytest.fixture
def device() -> gp.Device:
    return require_device("cpu")


@pytest.fixture
def document(run: Any, device: gp.Device) -> dict[str, Any]:
    """What is exported for a device whose sorts have another switch point; it is not kept any more."""
    before = SHIPPED[device.kind]
    keep_table(device, replace(before, sort=replace(before.sort, radix_from=333)))
    shown = run("tune", "--export", "-", *FOR_CPU)
    assert (shown.code, shown.err) == (0, "")
    assert run("tune", "--forget", *FOR_CPU).out == "cpu:0: removed; it uses the table for its kind of device\n"
    made: dict[str, Any] = json.loads(shown.out)
    return made


# ---------------------------------------------------------------- measuring


def test_the_table_has_a_row_for_each_size_and_says_what_is_kept(run: Any, folder: Path, device: gp.Device) -> None:
    shown = run("tune", *SORT)
    assert (shown.code, shown.err) == (0, "")
    lines = shown.out.splitlines()
    assert lines[0].startswith(f"== cpu:0: {device.name}, {device.info.driver}")
    assert lines[1] == "before: the table for its kind of device"
    assert lines[2].split() == ["what", "size", "before", "time", "best", "time", "ratio"]
    assert [line.split()[:4] for line in lines[4:6]] == [
        ["sort,", "radix_from", "64", "below"], ["sort,", "radix_from", "512", "from"],
    ]  # fmt: skip
    assert lines[6] == f"kept for cpu:0 in {folder}"
    assert kept_table(device) is not None
    assert "before: the table tuned on this machine\n" in run("tune", *SORT).out


def test_figures_are_written_as_json(run: Any, device: gp.Device, tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    assert run("tune", *SORT, "--json", file).code == 0
    (found,) = json.loads(file.read_text())["devices"]
    info = device.info
    assert (found["id"], found["driver"], found["origin"], found["kept"]) == (info.id, info.driver, "kind", True)
    assert found["shapes"] == kept_table(device)
    assert [(row["algorithm"], row["what"], row["size"]) for row in found["rows"]] == [
        ("sort", "radix_from", 64), ("sort", "radix_from", 512),
    ]  # fmt: skip
    for row in found["rows"]:
        assert {trial["candidate"] for trial in row["trials"]} == {"from", "below"}
        assert row["before_seconds"] > 0 and row["best_seconds"] > 0
        assert row["best"] == row["before"] or row["best_seconds"] <= 0.98 * row["before_seconds"]
    shown = run("tune", *SORT, "--json", "-")
    assert json.loads(shown.out)["gpucore"] == __version__


def test_matmul_is_tuned_and_exported(run: Any, device: gp.Device, tmp_path: Path, monkeypatch: Any) -> None:
    """With a few of the tiles, which LLVM compiles for a second each."""
    every = space.register_tiles
    monkeypatch.setattr(space, "register_tiles", lambda *kind: list(every(*kind))[::4])
    monkeypatch.setenv("GPUCORE_CACHE", "off")
    file = tmp_path / "shapes.json"
    shown = run("tune", "matmul", "--quick", "--sizes", "256", *FOR_CPU, "--export", file)
    assert (shown.code, shown.err) == (0, f"wrote {file}\n")
    assert "not kept for cpu:0: the cache on disk is not written" in shown.out
    (entry,) = json.loads(file.read_text())["devices"]
    assert entry["name"] == device.name and entry["shapes"]["sort"] == {}
    monkeypatch.setenv("GPUCORE_CACHE", "on")
    shown = run("tune", "--import", file)
    assert (shown.code, shown.err) == (0, "")
    assert kept_table(device) == entry["shapes"]


def test_a_wrong_result_is_exit_code_1_and_nothing_is_kept(
    run: Any, device: gp.Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workloads.Keys, "check", lambda self, result: "all keys are wrong")
    shown = run("tune", *SORT)
    assert shown.code == 1 and shown.err.startswith("FAILED  none of the 2 candidates gives a right output on cpu:0")
    assert "all keys are wrong" in shown.err and kept_table(device) is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "error: name what is tuned: matmul, sort or all; or use --export, --import or --forget"),
        (
            ("sort", "--device", "simulator"),
            "error: simulator:0 is not tuned: it runs kernels in Python, so its ",
        ),
        (("sort", "--sizes", "3", *FOR_CPU), "error: nothing is tuned at these sizes; there are 64, 128"),
        (("sort", "--forget"), "error: --import and --forget take neither names nor --json"),
        (("sort", "--import", "x.json"), "error: --import and --forget take neither names nor --json"),
        (("--export", "-", *FOR_CPU), "error: nothing is kept for cpu:0; `gpucore tune all` tunes a device"),
        (("sort", "--export", "-", "--json", "-"), "error: --export and --json write two files"),
        (("--import", "nothing.json"), "error: nothing.json cannot be read: No such file or directory"),
    ],
)
def test_mistakes(run: Any, device: gp.Device, arguments: tuple[str, ...], message: str) -> None:
    shown = run("tune", *arguments)
    assert (shown.code, shown.out) == (2, "") and shown.err.startswith(message)


def test_an_algorithm_that_is_not_tuned_is_named(run: Any) -> None:
    shown = run("tune", "scan")
    assert shown.code == 2 and "there is nothing to tune of 'scan'; choose from matmul, sort and all" in shown.err


@pytest.mark.parametrize("mode", ["off", "ro"])
def test_without_a_cache_to_write_nothing_is_measured(run: Any, monkeypatch: pytest.MonkeyPatch, mode: str) -> None:
    monkeypatch.setenv("GPUCORE_CACHE", mode)
    for arguments in (SORT, ("--forget", *FOR_CPU), ("--import", "x.json")):
        shown = run("tune", *arguments)
        assert (shown.code, shown.out) == (2, "") and shown.err.startswith(f"error: GPUCORE_CACHE={mode}: ")


# ---------------------------------------------------------------- files of tables


def test_an_exported_table_is_used_after_its_import(
    run: Any, folder: Path, device: gp.Device, document: dict[str, Any], tmp_path: Path
) -> None:
    assert shapes_of(device) is SHIPPED[device.kind]
    file = tmp_path / "shapes.json"
    file.write_text(json.dumps(document))
    shown = run("tune", "--import", file)
    assert (shown.code, shown.out, shown.err) == (0, f"kept for cpu:0 in {folder}\n", "")
    assert shapes_of(device).sort.radix_from == 333
    code = (
        "import gpucore as gp; from gpucore.algorithms.shapes import shapes_of\n"
        "print(shapes_of(gp.device('cpu')).sort.radix_from)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "333\n"
    keys = np.random.default_rng(0).integers(0, 1 << 32, 5001, np.uint32)
    np.testing.assert_array_equal(gp.sort(keys, device="cpu"), np.sort(keys))


def test_a_table_with_which_a_result_is_wrong_is_not_imported(
    run: Any, device: gp.Device, document: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "shapes.json"
    file.write_text(json.dumps(document))
    monkeypatch.setattr(workloads.Keys, "check", lambda self, result: "key 3" if result.size % 2 else "")
    shown = run("tune", "--import", file)
    assert shown.code == 1 and shown.err.startswith("error: sort on cpu:0 is wrong with the table: ")
    assert kept_table(device) is None and shapes_of(device) is SHIPPED[device.kind]


def edited(document: dict[str, Any], place: tuple[Any, ...], value: Any) -> str:
    """The text of a file in which one value is another one; ... removes it."""
    inner: Any = document
    for name in place[:-1]:
        inner = inner[name]
    if value is ...:
        del inner[place[-1]]
    else:
        inner[place[-1]] = value
    return json.dumps(document)


FIRST = ("devices", 0)


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (("format",), "x", 'is not a file of tuned shapes: its format is "gpucore shapes", version 1'),
        (("version",), 2, "is not a file of tuned shapes"),
        (("version",), True, "is not a file of tuned shapes"),
        (("gpucore",), "0.0.1", f"was made by gpucore 0.0.1, and this is {__version__}"),
        (("devices",), {}, "devices is a list, not {}"),
        (("devices",), ..., "lacks the field 'devices'"),
        (("more",), 1, "has the unknown field 'more'; it has format, version, gpucore, devices"),
        ((*FIRST, "colour"), 1, "devices[0] has the unknown field 'colour'"),
        ((*FIRST, "driver"), 1, "devices[0].driver is a text, not 1"),
        ((*FIRST, "shapes"), ..., "devices[0] lacks the field 'shapes'"),
        ((*FIRST, "driver"), "another driver", "has no table for a device here: it is for cpu, "),
        ((*FIRST, "shapes"), [], "the table is an object, not []"),
        ((*FIRST, "shapes", "sort", "radix_from"), "1", "sort.radix_from is a whole number from 0 to 2147483647"),
        ((*FIRST, "shapes", "sort", "row"), 1, "sort has the unknown field 'row'"),
        ((*FIRST, "shapes", "matmul", "tiles"), [{"tile_m": 4}], "matmul.tiles[0] lacks tile_n"),
        (("devices",), [], "has no table for a device here: it is for no device"),
    ],
)
def test_what_is_wrong_in_a_file_is_refused(
    run: Any, device: gp.Device, document: dict[str, Any], tmp_path: Path, place: Any, value: Any, message: str
) -> None:
    file = tmp_path / "shapes.json"
    file.write_text(edited(document, place, value))
    shown = run("tune", "--import", file)
    assert (shown.code, shown.out) == (2, "") and shown.err.startswith("error: ") and message in shown.err
    assert kept_table(device) is None


def test_a_tile_that_does_not_fit_the_device_is_refused(
    run: Any, device: gp.Device, document: dict[str, Any], tmp_path: Path
) -> None:
    tile = {
        "tile_m": 64, "tile_n": 64, "tile_k": 32, "own_m": 4, "own_n": 1, "group": 8, "width": 1, "gang": 64,
        "parts": 8, "padding": 16, "nbytes": 4, "min_tiles": 0, "needs": None,
        "stages": 0, "slices": 1, "across": 8, "fills": 0,
    }  # fmt: skip
    file = tmp_path / "shapes.json"
    file.write_text(edited(document, (*FIRST, "shapes", "matmul", "tiles"), [tile]))
    shown = run("tune", "--import", file, *FOR_CPU)
    lanes = device.limits.max_subgroup_size
    message = f"error: matmul.tiles[0] does not fit: gang is 0 or {lanes} on cpu:0\n"
    assert (shown.code, shown.out, shown.err) == (2, "", message)


@pytest.mark.parametrize("text", ["", "{", "[]", "3", "[" * 50_000])
def test_a_file_that_is_no_table_is_refused(run: Any, device: gp.Device, tmp_path: Path, text: str) -> None:
    file = tmp_path / "shapes.json"
    file.write_text(text)
    shown = run("tune", "--import", file)
    assert (shown.code, shown.out) == (2, "") and shown.err.startswith(f"error: {file} is not ")


def test_two_entries_for_one_device_are_refused(
    run: Any, device: gp.Device, document: dict[str, Any], tmp_path: Path
) -> None:
    file = tmp_path / "shapes.json"
    file.write_text(json.dumps({**document, "devices": document["devices"] * 2}))
    shown = run("tune", "--import", file)
    assert shown.code == 2 and "devices[1] is for a device that another entry is for, too" in shown.err


def test_what_is_kept_can_be_forgotten(run: Any, device: gp.Device) -> None:
    keep_table(device, SHIPPED[device.kind])
    shown = run("tune", "--forget", *FOR_CPU)
    assert (shown.code, shown.out, shown.err) == (0, "cpu:0: removed; it uses the table for its kind of device\n", "")
    assert run("tune", "--forget", *FOR_CPU).out == "cpu:0: nothing is kept; it uses the table for its kind of device\n"


def test_the_table_that_a_plugin_ships_is_named(
    run: Any, register: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(FakeBackend, "shapes_for", lambda self, info: '{"matmul": {"fills": 5}}')
    register(FakeBackend("carrier"))
    device, file = require_device("carrier"), tmp_path / "shapes.json"
    assert shapes_of(device).matmul.fills == 5
    forget = "tune", "--forget", "--device", "carrier"
    assert run(*forget).out == "carrier:0: nothing is kept; it uses the table shipped by the plugin\n"
    assert "nothing is kept for carrier:0" in run("tune", "--export", "-", "--device", "carrier").err
    keep_table(device, shapes_of(device))
    assert run("tune", "--export", file, "--device", "carrier").code == 0
    (entry,) = json.loads(file.read_text())["devices"]
    assert entry["shapes"] == {"sort": {}, "matmul": {"fills": 5}}, "complete without the plugin"
    assert run(*forget).out == "carrier:0: removed; it uses the table shipped by the plugin\n"


def test_the_cache_shows_tables_as_a_kind_of_entry(run: Any, device: gp.Device) -> None:
    keep_table(device, SHIPPED[device.kind])
    kinds = {(entry["kind"], entry["backend"]) for entry in json.loads(run("cache", "info", "--json").out)["entries"]}
    assert ("shapes", "cpu") in kinds
