"""Tables of shapes that were measured on GPUs of NVIDIA: how one is found, and whether all in the package fit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fake_cuda import FakeDriver

from gpucore.algorithms.kept_shapes import from_json, to_json
from gpucore.algorithms.shapes import SHIPPED, Tile
from gpucore.errors import ArgumentError
from gpucore.runtime import DeviceInfo, DeviceKind
from gpucore.tuning.documents import make_document
from gpucore_cuda import plugin
from gpucore_cuda.plugin import CUDABackend
from gpucore_cuda.probe import describe

CAPABILITIES = {
    "NVIDIA H100 80GB HBM3": (9, 0), "NVIDIA H100 PCIe": (9, 0), "NVIDIA H100 NVL": (9, 0), "NVIDIA H200": (9, 0),
    "NVIDIA H200 NVL": (9, 0), "NVIDIA GH200 480GB": (9, 0),
}  # fmt: skip
"""The compute capabilities of GPUs that the package may have tables for. All of these have 227 KiB for a workgroup."""


def gpu(name: str) -> DeviceInfo:
    """What the probe says of a GPU of that name."""
    return replace(describe(FakeDriver(capability=CAPABILITIES[name]), "cuda", 0), name=name)


def problems(folder: Path) -> Iterator[str]:
    """What is wrong in files of tables."""
    for path in sorted(folder.glob("*")):
        document = json.loads(path.read_text())
        if path.suffix != ".json" or document["format"] != "gpucore shapes":
            yield f"{path.name} is no file of tables"
        for entry in document["devices"]:
            if (entry["backend"], entry["kind"]) != ("cuda", "gpu"):
                yield f"{path.name} has a table for {entry['backend']}, {entry['kind']}"
            for name in (entry["name"], *entry.get("names", ())):
                if name not in CAPABILITIES:
                    yield f"{path.name}: add the compute capability of {name} to this file"
                    continue
                try:
                    table = from_json(entry["shapes"], gpu(name))
                except ArgumentError as error:
                    yield f"{path.name}: {name}: {error}"
                else:
                    if to_json(table, gpu(name)) == {"sort": {}, "matmul": {}}:
                        yield f"{path.name}: {name}: the table is that of every GPU"
                    if json.loads(CUDABackend().shapes_for(gpu(name))) != entry["shapes"]:
                        yield f"{path.name}: {name}: another table is found first"


def test_each_table_in_the_package_fits_its_devices() -> None:
    assert [*problems(plugin.TABLES)] == []


# ---------------------------------------------------------------- with files of a test

H100, H200 = "NVIDIA H100 80GB HBM3", "NVIDIA H200"


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in place of the package's."""
    folder = tmp_path / "tables"
    folder.mkdir()
    monkeypatch.setattr(plugin, "TABLES", folder)
    return folder


def measured(**changes: Any) -> dict[str, Any]:
    """A table with another order of tiles, and of units, as `gpucore tune` writes it."""
    before = SHIPPED[DeviceKind.GPU]
    matmul = replace(before.matmul, tiles=before.matmul.tiles[1:], units=before.matmul.units[1:], **changes)
    return to_json(replace(before, matmul=matmul), gpu(H100))


def write(place: Path, name: str, table: dict[str, Any], **fields: Any) -> None:
    document = make_document([(gpu(name), table)])
    document["devices"][0].update(fields)
    place.write_text(json.dumps(document, indent=1))


def test_a_table_is_for_the_devices_that_it_names(tables: Path) -> None:
    one, two = measured(), measured(fills=300)
    write(tables / "h100.json", H100, one)
    write(tables / "h200.json", H200, two, names=["NVIDIA GH200 480GB"])
    assert [*problems(tables)] == []
    backend = CUDABackend()
    before = SHIPPED[DeviceKind.GPU].matmul
    for name, fills in ((H100, before.fills), (H200, 300), ("NVIDIA GH200 480GB", 300)):
        found = from_json(json.loads(backend.shapes_for(gpu(name))), gpu(name)).matmul
        assert (found.tiles, found.units, found.fills) == (before.tiles[1:], before.units[1:], fills)
    assert backend.shapes_for(gpu("NVIDIA H100 PCIe")) == "", "another model has other numbers of multiprocessors"
    assert backend.shapes_for(replace(gpu(H100), driver="a newer one", api="CUDA 14.0", index=3)) != ""


def test_what_is_wrong_in_files_is_noticed(tables: Path) -> None:
    large = {"matmul": {"tiles": [to_json_of(Tile(512, 512, 64, 16, 16))]}}
    write(tables / "1.json", H100, large)
    write(tables / "2.json", H200, {"matmul": {}})
    write(tables / "3.json", H200, measured())
    write(tables / "4.json", H200, measured(), backend="opencl", names=["NVIDIA GeForce 256"])
    memory = 2 * 4 * 64 * (512 + 512)
    assert [*problems(tables)] == [
        f"1.json: {H100}: matmul.tiles[0] does not fit: it takes 1024 invocations and {memory} bytes of workgroup "
        "memory, and cuda:0 has 1024 and 232448",
        f"2.json: {H200}: the table is that of every GPU",
        f"3.json: {H200}: another table is found first",
        "4.json has a table for opencl, gpu",
        f"4.json: {H200}: another table is found first",
        "4.json: add the compute capability of NVIDIA GeForce 256 to this file",
    ]


def to_json_of(tile: Tile) -> dict[str, int]:
    """The lengths of a tile."""
    return {name: getattr(tile, name) for name in ("tile_m", "tile_n", "tile_k", "own_m", "own_n")}
