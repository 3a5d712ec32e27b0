"""Tables of shapes that plugins have for their devices: which table counts, and results with it."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from shipping_backend import ShippingBackend, opened

import gpucore as gp
from gpucore.algorithms import shapes
from gpucore.algorithms.kept_shapes import from_json, to_json
from gpucore.algorithms.shapes import SHIPPED, Origin, Shapes, Tile, find_shapes, set_shapes, shapes_of
from gpucore.runtime import DeviceInfo, DeviceKind, shipped_shapes, tuned
from gpucore.tuning.documents import make_document
from gpucore.tuning.tables import TableTuner, forget_table, keep_table, kept_table

TILE = {"tile_m": 16, "tile_n": 32, "tile_k": 8, "own_m": 4, "own_n": 8}  # by 16 invocations
TEXT = json.dumps({"matmul": {"tiles": [TILE], "fills": 0}})
SHAPE = 33, 17, 67


def multiply(device: gp.Device) -> None:
    """A product of odd lengths, of small whole numbers: the sums are exact."""
    (m, k, n), rng = SHAPE, np.random.default_rng(3)
    a, b = (rng.integers(-9, 9, shape).astype(np.float32) for shape in ((m, k), (k, n)))
    np.testing.assert_array_equal(gp.matmul(a, b, device=device), a @ b)


# ---------------------------------------------------------------- the table of a plugin


def test_products_are_made_in_the_tiles_of_the_plugin(folder: Path) -> None:
    backend = ShippingBackend(TEXT)
    with opened(backend) as device:
        multiply(device)
        assert backend.launches == [(16, (3 * 3, 1, 1))]
        assert shapes_of(device).matmul == replace(SHIPPED[device.kind].matmul, tiles=(Tile(**TILE),), fills=0)
        assert shapes_of(device).sort is SHIPPED[device.kind].sort
        assert find_shapes(device)[1] is Origin.PLUGIN
    assert {info.id for info in backend.asked} == {"ships:0"}


def test_a_plugin_is_asked_once_for_an_open_device(folder: Path) -> None:
    backend = ShippingBackend(TEXT)
    for times in (1, 2):
        with opened(backend) as device:
            multiply(device)
            gp.sort(np.arange(9, dtype=np.uint32), device=device)
        assert backend.asked == [backend.info()] * times


def test_without_a_table_of_the_plugin_it_is_that_of_the_kind(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "gpucore"), opened(ShippingBackend("")) as device:
        assert shapes_of(device) is SHIPPED[DeviceKind.GPU]
        assert find_shapes(device)[1] is Origin.KIND
    assert [record.message for record in caplog.records if "shapes" in record.message] == []


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (ZeroDivisionError("a mistake"), "ZeroDivisionError: a mistake"),
        (gp.DeviceLostError("gone"), "DeviceLostError: gone"),
        (None, "the JSON object must be str, bytes or bytearray, not NoneType"),
        ({"matmul": {}}, "the JSON object must be str, bytes or bytearray, not dict"),
        (np.zeros(2), "the JSON object must be str, bytes or bytearray, not ndarray"),
        (b"{\xff\xff", "utf-8"),
        ("{", "Expecting property name"),
        ("[" * 100_000, "recursion"),
        ("[]", "the table is an object, not []"),
        ('{"matmul": {"rows": 3}}', "matmul has the unknown field 'rows'"),
        ('{"matmul": {"tiles": [{"tile_m": 32}]}}', "matmul.tiles[0] lacks tile_n, tile_k, own_m, own_n"),
        (json.dumps({"matmul": {"tiles": [TILE, {**TILE, "own_m": 3}]}}), "own_m does not divide tile_m"),
        (json.dumps({"matmul": {"tiles": [{**TILE, "needs": "async_copy"}]}}), "ships:0 lacks the capability async"),
    ],
    ids=["raises", "lost", "none", "dict", "array", "bytes", "end", "deep", "list", "field", "few", "divides", "needs"],
)  # fmt: skip
def test_what_is_no_table_for_the_device_is_ignored_with_a_line_in_the_log(
    folder: Path, caplog: pytest.LogCaptureFixture, answer: Any, reason: str
) -> None:
    with caplog.at_level(logging.DEBUG, "gpucore"), opened(ShippingBackend(answer)) as device:
        multiply(device)
        assert shapes_of(device) is SHIPPED[device.kind]
    (line,) = [record.message for record in caplog.records if "shapes" in record.message]
    if isinstance(answer, Exception):
        assert line == f"the plugin has no shapes for ships:0: {reason}"
    else:
        assert line.startswith("the shapes that the plugin has for ships:0 are not used: ") and reason in line


def test_fields_with_a_default_may_be_left_out(folder: Path) -> None:
    info = ShippingBackend("").info()
    table = from_json(json.loads(TEXT), info)
    assert table.matmul.tiles == (Tile(16, 32, 8, 4, 8),)
    assert from_json(to_json(table, info), info).matmul == table.matmul
    (written,) = to_json(table, info)["matmul"]["tiles"]
    assert set(written) > set(TILE), "what is written is complete"


def test_tiles_beyond_the_limits_of_a_device_are_not_used(folder: Path) -> None:
    nbytes = 2 * 4 * 8 * (16 + 32)
    for limit, is_used in ((nbytes, True), (nbytes - 4, False)):
        with opened(ShippingBackend(TEXT, max_workgroup_memory=limit)) as device:
            assert (shapes_of(device) is not SHIPPED[device.kind]) is is_used


# ---------------------------------------------------------------- beside other tables


def test_the_program_counts_more_than_the_disk_and_that_more_than_the_plugin(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = ShippingBackend(TEXT)
    with opened(backend) as device:
        shipped, own = shapes_of(device), Shapes()
        other = replace(shipped, matmul=replace(shipped.matmul, fills=77))
        assert keep_table(device, other)
        assert shapes_of(device).matmul == other.matmul and find_shapes(device)[1] is Origin.TUNED
        with monkeypatch.context() as patch:
            patch.setitem(shapes.SHAPES, device.kind, own)
            assert shapes_of(device) is own
        backend.asked.clear()
        assert shapes_of(device).matmul == other.matmul and backend.asked == []
        assert forget_table(device)
        assert shapes_of(device).matmul == shipped.matmul and kept_table(device) is None


def test_what_is_kept_does_not_depend_on_what_the_plugin_has(folder: Path) -> None:
    """It is written as what differs from gpucore's table for the kind of device: another version of the plugin, and
    one without a table, change nothing."""
    backend = ShippingBackend(TEXT)
    with opened(backend) as device:
        shipped = shapes_of(device)
        keep_table(device, replace(shipped, sort=replace(shipped.sort, merge_up_to=999)))
        kept = shapes_of(device)
        assert kept.matmul == shipped.matmul and kept.sort.merge_up_to == 999
        for answer in ("", json.dumps({"matmul": {"fills": 5}})):
            backend.answer = answer
            set_shapes(device, None)
            assert shapes_of(device) is not kept
            assert to_json(shapes_of(device), device) == to_json(kept, device)


def test_the_table_of_the_kind_can_be_kept_in_place_of_the_plugins(folder: Path) -> None:
    with opened(ShippingBackend(TEXT)) as device:
        assert keep_table(device, SHIPPED[device.kind])
        assert kept_table(device) == {"sort": {}, "matmul": {}}
        assert shapes_of(device).matmul is SHIPPED[device.kind].matmul


def test_a_kept_table_that_does_not_fit_leaves_that_of_the_plugin(folder: Path) -> None:
    with opened(ShippingBackend(TEXT)) as device:
        tuned.write_tuned(device.info, b"[]")
        assert find_shapes(device)[1] is Origin.PLUGIN
        assert shapes_of(device).matmul.tiles == (Tile(**TILE),) and kept_table(device) is None


def test_a_tuner_begins_with_the_table_of_the_plugin(folder: Path) -> None:
    with opened(ShippingBackend(TEXT)) as device:
        tuner = TableTuner(device, ["matmul"], is_quick=True)
        assert tuner.origin is Origin.PLUGIN and tuner.shapes.matmul.tiles == (Tile(**TILE),)
        (step,) = [step for name, step in tuner._steps if step.what == "tiles of f32"]
        assert step.values(tuner.shapes, step.sizes[0])[0] == Tile(**TILE), "it is compared with what is used now"


# ---------------------------------------------------------------- files in a plugin's package


def write_tables(place: Path, *tables: tuple[DeviceInfo, dict[str, Any]], **fields: Any) -> None:
    """A file as `gpucore tune --export` writes it, and more fields of its entries."""
    place.parent.mkdir(exist_ok=True)
    document = make_document(tables)
    for entry in document["devices"]:
        entry.update(fields)
    place.write_text(json.dumps(document))


def test_an_exported_file_is_found_by_the_name_of_the_device(tmp_path: Path) -> None:
    info, place = ShippingBackend("").info(), tmp_path / "tables" / "any name.json"
    table = json.loads(TEXT)
    write_tables(place, (replace(info, name="another"), {}), (info, table), names=["twin"])
    for same in (
        info,
        replace(info, driver="another", api="another", index=3, id="ships:3"),
        replace(info, name="twin"),
    ):
        assert json.loads(shipped_shapes(place.parent, same)) == (table if same.name != "twin" else {})
    for other in ({"name": "a third"}, {"backend": "cuda"}, {"kind": DeviceKind.IGPU}):
        assert shipped_shapes(place.parent, replace(info, **other)) == ""
    assert shipped_shapes(tmp_path / "none", info) == shipped_shapes(tmp_path, info) == ""
