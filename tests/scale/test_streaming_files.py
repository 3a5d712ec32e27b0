"""Streams and the file system: damaged sources, targets that are whole or absent, full disks, Ctrl-C."""

from __future__ import annotations

import _thread
import random
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from stream_files import names_in, no_file_larger_than, saved

import gpucore as gp
import gpucore_dask as gd
from gpucore.testing import require_device
from gpucore_dask.streams import files, targets

VALUES = np.random.default_rng(1).integers(0, 1 << 32, 20_000, np.uint32)
MEMORY = VALUES.nbytes


@pytest.fixture(autouse=True)
def device() -> str:
    require_device("cpu")
    return "cpu"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: None, "{} cannot be read: No such file or directory"),
        (lambda path: path.write_bytes(b""), "{} is not a .npy file; write it with numpy.save"),
        (lambda path: path.write_text("hello"), "{} is not a .npy file; write it with numpy.save"),
        (lambda path: np.savez(path.open("wb"), a=VALUES), "{} is not a .npy file; write it with numpy.save"),
        (
            lambda path: np.save(path, np.array([1, None])),
            "{} is not a valid .npy file: Array can't be memory-mapped: Python objects in dtype.",
        ),
        (
            lambda path: path.write_bytes(path.with_name("whole.npy").read_bytes()[:-1]),
            "{} is not a valid .npy file: it is shorter than its header says",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_bad_sources(tmp_path: Path, device: str, make: Any, message: str) -> None:
    saved(tmp_path, VALUES, "whole.npy")
    source = tmp_path / "in.npy"
    make(source)
    before = names_in(tmp_path)
    with pytest.raises(gp.ArgumentError) as caught:
        gd.stream_sort(source, tmp_path / "out.npy", device=device)
    assert str(caught.value) == message.format(source)
    assert names_in(tmp_path) == before


def test_damaged_sources_are_refused_by_name(tmp_path: Path, device: str) -> None:
    whole = saved(tmp_path, VALUES[:300]).read_bytes()
    chooser, refusals = random.Random(3), list[str]()
    path = tmp_path / "damaged.npy"
    for _ in range(200):
        damaged = bytearray(whole[: chooser.choice([len(whole), chooser.randrange(len(whole))])])
        for _ in range(chooser.randrange(1, 6)):
            if damaged:
                damaged[chooser.randrange(min(len(damaged), 140))] = chooser.randrange(256)
        path.write_bytes(bytes(damaged))
        try:
            gd.stream_sort(path, tmp_path / "out.npy", device=device, overwrite=True)
        except gp.ArgumentError as error:
            refusals.append(str(error))
    assert len(refusals) > 100
    assert all(str(path) in refusal for refusal in refusals)


@pytest.mark.parametrize("message", ["exists", "folder", "nowhere", "device"])
def test_bad_targets(tmp_path: Path, device: str, message: str) -> None:
    source = saved(tmp_path, VALUES)
    nowhere = tmp_path / "nowhere" / "out.npy"
    target, text = {
        "exists": (source, f"{source} exists; name another file, or pass overwrite=True"),
        "folder": (tmp_path, f"{tmp_path} cannot be written: it is a folder"),
        "nowhere": (nowhere, f"{nowhere} cannot be written: there is no folder {nowhere.parent}"),
        "device": (Path("/dev/null"), "/dev/null cannot be written: it is not a regular file"),
    }[message]
    with pytest.raises(gp.ArgumentError) as caught:
        gd.stream_sort(source, target, device=device)
    assert str(caught.value) == text
    assert names_in(tmp_path) == ["in.npy"] and np.array_equal(np.load(source), VALUES)


@pytest.mark.parametrize(("most", "message"), [
    (VALUES.nbytes // 2, "the scratch file in {} failed: File too large"),
    (VALUES.nbytes + 64, "{}/out.npy cannot be written: File too large"),
])  # fmt: skip
def test_a_write_that_fails_leaves_nothing(tmp_path: Path, device: str, most: int, message: str) -> None:
    """Of the scratch file in the first case, of the target in the second one: its header needs 64 bytes more."""
    pytest.importorskip("resource", reason="this system has no limit for the size of files")
    source = saved(tmp_path, VALUES)
    old = saved(tmp_path, VALUES[:3], "out.npy")
    with no_file_larger_than(most), pytest.raises(gp.ArgumentError) as caught:
        gd.stream_sort(source, old, device=device, memory=MEMORY, overwrite=True)
    assert str(caught.value) == message.format(tmp_path)
    assert names_in(tmp_path) == ["in.npy", "out.npy"] and np.array_equal(np.load(old), VALUES[:3])


def test_a_product_that_cannot_be_written(tmp_path: Path, device: str) -> None:
    pytest.importorskip("resource", reason="this system has no limit for the size of files")
    a = saved(tmp_path, np.ones((100, 100), np.float32))
    with (
        no_file_larger_than(20_000),
        pytest.raises(gp.ArgumentError, match=r"out\.npy cannot be written: File too large"),
    ):
        gd.stream_matmul(a, a, tmp_path / "out.npy", device=device, memory=50_000)
    assert names_in(tmp_path) == ["in.npy"]


def test_a_disk_with_too_little_room(tmp_path: Path, device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Usage(NamedTuple):
        free: int

    source, target = saved(tmp_path, VALUES), tmp_path / "out.npy"
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: Usage(100_000))
    with pytest.raises(gp.ArgumentError) as caught:
        gd.stream_sort(source, target, device=device, memory=MEMORY)
    assert str(caught.value) == (
        f"{tmp_path} has 100,000 bytes free, and 160,000 are to be written there; make room, or name another folder"
    )
    assert not target.exists()
    gd.stream_sort(source, target, device=device)  # needs no scratch file
    assert np.array_equal(np.load(target), np.sort(VALUES))


@pytest.mark.parametrize("kind", [files.Scratch, targets.NpyTarget])
def test_an_interrupt_leaves_nothing(tmp_path: Path, device: str, monkeypatch: pytest.MonkeyPatch, kind: Any) -> None:
    """Ctrl-C while the files' thread writes runs or buckets."""
    source, target = saved(tmp_path, VALUES), tmp_path / "out.npy"
    write, calls = kind.write, []

    def interrupt(self: Any, *arguments: Any) -> None:
        calls.append(arguments)
        if len(calls) == 2:
            _thread.interrupt_main()
        write(self, *arguments)

    with monkeypatch.context() as patched:
        patched.setattr(kind, "write", interrupt)
        with pytest.raises(KeyboardInterrupt):
            gd.stream_sort(source, target, device=device, memory=MEMORY)
    assert names_in(tmp_path) == ["in.npy"]
    gd.stream_sort(source, target, device=device, memory=MEMORY)  # the device is as before
    assert np.array_equal(np.load(target), np.sort(VALUES))


class TestStores:
    """Zarr stores as targets."""

    @pytest.fixture(autouse=True)
    def zarr(self) -> Any:
        return pytest.importorskip("zarr", reason="zarr is not installed")

    def test_they_are_written_and_replaced(self, tmp_path: Path, device: str, zarr: Any) -> None:
        source, target = saved(tmp_path, VALUES), tmp_path / "out.zarr"
        for overwrite in (False, True):
            gd.stream_sort(source, target, device=device, memory=MEMORY, overwrite=overwrite, descending=overwrite)
            assert np.array_equal(zarr.open_array(target, mode="r")[:], np.sort(VALUES)[:: -1 if overwrite else 1])
            assert names_in(tmp_path) == ["in.npy", "out.zarr"]
        with pytest.raises(gp.ArgumentError, match=r"out\.zarr exists; name another file, or pass overwrite=True"):
            gd.stream_sort(source, target, device=device)

    def test_a_damaged_store_is_named(self, tmp_path: Path, device: str, zarr: Any) -> None:
        zarr.save_array(str(tmp_path / "in.zarr"), VALUES)
        (chunk, *_) = (path for path in (tmp_path / "in.zarr").rglob("*") if path.is_file() and "zarr" not in path.name)
        chunk.write_bytes(b"junk")
        with pytest.raises(gp.ArgumentError, match=r"in\.zarr cannot be read: "):
            gd.stream_sort(tmp_path / "in.zarr", tmp_path / "out.npy", device=device)
        assert names_in(tmp_path) == ["in.zarr"]

    def test_products(self, tmp_path: Path, device: str, zarr: Any) -> None:
        a = np.random.default_rng(3).integers(0, 9, (90, 90)).astype(np.int32)
        gd.stream_matmul(a, a, tmp_path / "out.zarr", device=device, memory=a.nbytes)
        assert np.array_equal(zarr.open_array(tmp_path / "out.zarr", mode="r")[:], a @ a)

    def test_other_folders_are_not_replaced(self, tmp_path: Path, device: str) -> None:
        folder = tmp_path / "mine.zarr"
        folder.mkdir()
        (folder / "thesis.txt").write_text("mine")
        with pytest.raises(gp.ArgumentError, match=r"mine\.zarr cannot be written: it is no zarr store"):
            gd.stream_sort(VALUES, folder, device=device, overwrite=True)
        assert (folder / "thesis.txt").read_text() == "mine"

    def test_a_write_that_fails_leaves_nothing(self, tmp_path: Path, device: str) -> None:
        pytest.importorskip("resource", reason="this system has no limit for the size of files")
        with no_file_larger_than(2000), pytest.raises(gp.ArgumentError, match=r"out\.zarr cannot be written: File too"):
            gd.stream_sort(VALUES, tmp_path / "out.zarr", device=device)
        assert names_in(tmp_path) == []


def test_scratch_files_are_in_their_folder(tmp_path: Path, device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    source, folder = saved(tmp_path, VALUES), tmp_path / "scratch"
    folder.mkdir()
    seen: list[Any] = []
    enter = files.Scratch.__enter__
    monkeypatch.setattr(files.Scratch, "__enter__", lambda self: seen.append(self._folder) or enter(self))
    gd.stream_sort(source, tmp_path / "out.npy", device=device, memory=MEMORY, scratch=folder)
    assert seen == [folder] and names_in(folder) == [] and names_in(tmp_path) == ["in.npy", "out.npy", "scratch"]


def test_links_are_followed_and_permissions_kept(tmp_path: Path, device: str) -> None:
    real, link = saved(tmp_path, VALUES[:9], "real.npy"), tmp_path / "link.npy"
    real.chmod(0o640)
    link.symlink_to(real)
    gd.stream_sort(link, link, device=device, overwrite=True)
    assert link.is_symlink() and np.array_equal(np.load(real), np.sort(VALUES[:9]))
    assert real.stat().st_mode & 0o777 == 0o640
