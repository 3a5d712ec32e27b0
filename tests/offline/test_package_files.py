"""Files that are no package, or a damaged one, are refused with the reason, before anything in them is used."""

from __future__ import annotations

import importlib.resources
import io
import json
import random
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import packaged_kernels as kernels
import pytest

import gpucore as gp
from gpucore.testing import require_device


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("small") / "k.gpu"
    gp.build(path, [kernels.saxpy], ["wgsl", "x86-64-v3"])
    return path.read_bytes()


def refusal(content: bytes) -> str:
    with pytest.raises(gp.ArgumentError) as caught:
        gp.load(content)
    return str(caught.value)


def changed(
    content: bytes, change: Callable[[dict[str, Any]], object], entries: Callable[[dict[str, bytes]], object] = len,
    compression: int = zipfile.ZIP_STORED,
) -> bytes:  # fmt: skip
    """The file with another manifest and other entries."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        found = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(found.pop("manifest.json"))
    change(manifest)
    entries(found)
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", compression) as archive:
        for name, data in {"manifest.json": json.dumps(manifest).encode(), **found}.items():
            archive.writestr(name, data)
    return whole.getvalue()


def test_paths_bytes_and_resources(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "kernels.gpu"
    path.write_bytes(content)
    (tmp_path / "__init__.py").touch()
    for source in (path, str(path), content, bytearray(content), memoryview(content)):
        assert gp.load(source).targets == ("wgsl", "x86-64-v3")
    with zipfile.ZipFile(tmp_path / "wheel.zip", "w") as archive:
        archive.write(path, "inner/kernels.gpu")
    inner = zipfile.Path(tmp_path / "wheel.zip", "inner/kernels.gpu")  # a Traversable, as importlib.resources gives it
    assert gp.load(inner).names == ("saxpy",)
    assert isinstance(importlib.resources.files("gpucore"), Path)
    with pytest.raises(gp.ArgumentError, match=r"cannot be read: No such file.*gp.build"):
        gp.load(tmp_path / "none.gpu")
    with pytest.raises(gp.ArgumentError, match="takes a path, bytes or a resource, not 3"):
        gp.load(3)


def test_other_files(content: bytes) -> None:
    assert "it is empty" in refusal(b"")
    assert r"it starts with b'\x93NUMPY\x01\x00'; give a file" in refusal(b"\x93NUMPY\x01\x00v")
    other = io.BytesIO()
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("a.txt", "b")
    assert "the archive has no manifest.json" in refusal(other.getvalue())
    assert "manifest is that of another format" in refusal(changed(content, lambda m: m.update(format="x")))


def test_newer_versions(content: bytes) -> None:
    message = refusal(changed(content, lambda m: m.update(version=2, gpucore="9.9")))
    assert "version 2 of the format, built by gpucore '9.9', and gpucore" in message
    assert message.endswith("reads version 1; update gpucore, or build the package with this version")


@pytest.mark.parametrize("part", [0.01, 0.3, 0.9, 0.999])
def test_files_that_are_cut_short(content: bytes, part: float) -> None:
    assert "is cut short or damaged" in refusal(content[: int(len(content) * part)])


def test_other_contents_of_an_entry(content: bytes) -> None:
    device = require_device("cpu")

    def swap(entries: dict[str, bytes]) -> None:
        for name in entries:
            if name.endswith(".bin"):
                entries[name] = entries[name][:-1] + b"x"

    damaged = gp.load(changed(content, len, swap))
    x, y = gp.ones(8, device=device), gp.ones(8, device=device)
    with pytest.raises(gp.ArgumentError, match=r"the entry 'x86-64-v3/saxpy.*' is not the one that was built"):
        damaged.saxpy(1.0, x, y)
    missing = gp.load(changed(content, len, lambda entries: entries.clear()))
    with pytest.raises(gp.ArgumentError, match=r"the entry 'x86-64-v3/saxpy.*' is missing"):
        missing.saxpy(1.0, x, y)
    assert "'manifest.json' is compressed" in refusal(changed(content, len, compression=zipfile.ZIP_DEFLATED))


def first(manifest: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = manifest["kernels"][0]
    return found


def forms(manifest: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = first(manifest)["specialisations"][0]["targets"]["x86-64-v3"]
    return found


@pytest.mark.parametrize(
    "change",
    [
        lambda m: m.pop("kernels"), lambda m: m.update(kernels=3), lambda m: m.pop("targets"),
        lambda m: first(m)["signature"][0].update(name="a b"), lambda m: first(m)["signature"][0].update(name="if"),
        lambda m: first(m)["signature"][1].update(rank=9), lambda m: first(m)["signature"][1].update(mode="x"),
        lambda m: first(m)["signature"][1].update(element="f99"), lambda m: first(m).update(workgroup_size=[0, 1, 1]),
        lambda m: first(m)["signature"][0].update(kind="none"), lambda m: forms(m)[0].update(needs=["magic"]),
        lambda m: first(m)["signature"][0].update(
            element={"struct": "S", "fields": [{"name": "f()", "element": "f32"}]}
        ),
        lambda m: forms(m)[0].update(writes=3),
    ],
)  # fmt: skip
def test_manifests_that_make_no_sense(content: bytes, change: Any) -> None:
    assert "its manifest cannot be used" in refusal(changed(content, change))


@pytest.mark.parametrize(
    "change",
    [
        lambda form: form["layout"]["slots"][0].__setitem__(0, ["argument", "a.__class__", ""]),
        lambda form: form["layout"]["slots"][0].__setitem__(0, ["argument", "a", "x; import os"]),
        lambda form: form["layout"].pop("views"), lambda form: form.pop("entry"),
    ],
)  # fmt: skip
def test_layouts_that_make_no_sense(content: bytes, change: Any) -> None:
    """The code of launches is made of them."""
    device = require_device("cpu")
    package = gp.load(changed(content, lambda m: [change(form) for form in forms(m)]))
    x, y = gp.ones(8, device=device), gp.ones(8, device=device)
    with pytest.raises((gp.ArgumentError, gp.CompileError), match="what it has of saxpy cannot be read"):
        package.saxpy(1.0, x, y)


def test_any_damage_is_found(content: bytes) -> None:
    """Bytes that are changed anywhere are refused, or do not matter."""
    device, draw = require_device("cpu"), random.Random(5)
    x = gp.asarray(np.arange(100, dtype=np.float32), device=device)
    refused = 0
    for _ in range(150):
        damaged = bytearray(content)
        damaged[draw.randrange(len(content))] ^= 1 << draw.randrange(8)
        y = gp.ones(100, device=device)
        try:
            gp.load(damaged).saxpy(2.0, x, y)
        except gp.ArgumentError:
            refused += 1
        else:
            assert np.array_equal(y.numpy(), np.arange(100, dtype=np.float32) * 2 + 1)
    assert refused > 20
