"""docs/first_kernel.ipynb runs from top to bottom and shows what is stored in it. --update-golden stores it anew."""

from __future__ import annotations

import base64
import re
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from page_programs import ROOT

from gpucore.testing import require_device

PAGE = ROOT / "docs" / "first_kernel.ipynb"
LARGEST = 40_000  # bytes of the file, with a picture in it
CELL = re.compile(r"[^\s\"]*ipykernel_\d+[/\\]\d+\.py")  # what a kernel's file is called in a cell


@pytest.mark.parametrize("backend", ["cpu", "simulator"])
def test_every_cell_runs_and_shows_what_is_stored(
    backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, update_golden: bool
) -> None:
    nbformat = pytest.importorskip("nbformat", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    require_device(backend)
    for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
        monkeypatch.setenv(name, str(tmp_path))  # the user's own settings do not count
    monkeypatch.setenv("GPUCORE_BACKEND", backend)
    ran = run(nbformat.read(PAGE, 4), tmp_path)
    if update_golden and backend == "cpu":
        nbformat.write(ran, PAGE)
    stored = nbformat.read(PAGE, 4)
    assert PAGE.stat().st_size < LARGEST
    pictures = 0
    for found, wanted in zip(ran.cells, stored.cells, strict=True):
        if found.cell_type != "code" or "varies" in found.metadata.get("tags", ()):
            continue
        assert text(found) == text(wanted), found.id
        for one, other in zip(pixels(found), pixels(wanted), strict=True):
            pictures += 1
            assert one.shape == other.shape == (192, 288, 3)
            assert (one == other).all(axis=2).mean() > 0.99  # devices round products at the edge differently
    assert pictures == 1


def run(notebook: Any, folder: Path) -> Any:
    """The notebook with its outputs, without what differs from run to run."""
    from nbclient import NotebookClient  # noqa: PLC0415 (where it is not installed the test is skipped)

    client = NotebookClient(
        notebook,
        timeout=120,
        kernel_name="python3",
        record_timing=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(folder)}},
    )
    done = client.execute()
    done.metadata.language_info = {"name": "python"}
    for cell in done.cells:
        for output in cell.get("outputs", ()):
            if "image/png" in output.get("data", {}):
                del output.data["text/plain"]
            elif "text" in output:
                output.text = CELL.sub("cell.py", output.text)
    return done


def text(cell: Any) -> str:
    """What a cell prints."""
    return "".join(output.text for output in cell.outputs if output.output_type == "stream")


def pixels(cell: Any) -> list[Any]:
    """The pictures that a cell shows: u8 of shape (height, width, 3)."""
    return [
        decode(base64.b64decode(output.data["image/png"]))
        for output in cell.outputs
        if "image/png" in output.get("data", {})
    ]


def decode(picture: bytes) -> Any:
    """The pixels of a PNG of the one kind that the notebook writes."""
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, place = {}, 8
    while place < len(picture):
        (length,) = struct.unpack(">I", picture[place : place + 4])
        name, data = picture[place + 4 : place + 8], picture[place + 8 : place + 8 + length]
        assert zlib.crc32(name + data) == struct.unpack(">I", picture[place + 8 + length : place + 12 + length])[0]
        chunks[name] = data
        place += 12 + length
    assert list(chunks) == [b"IHDR", b"IDAT", b"IEND"]
    width, height, *kind = struct.unpack(">2I5B", chunks[b"IHDR"])
    assert kind == [8, 2, 0, 0, 0]
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, 1 + 3 * width)
    assert (rows[:, 0] == 0).all()
    return rows[:, 1:].reshape(height, width, 3)
