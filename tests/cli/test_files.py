"""`gpucore sort` and `gpucore matmul`: files in, a file out, whole or not at all."""

from __future__ import annotations

import io
import os
import random
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fake_backend import FakeBackend, Faults
from fake_plugins import good_plugin, write_plugin

from gpucore.cli import files
from gpucore.cli.files import read_array, write_array
from gpucore.errors import ArgumentError, DeviceLostError
from gpucore.runtime.select import devices

VALUES = np.random.default_rng(1).standard_normal(300).astype(np.float32)


def on_cpu_or_simulator() -> str:
    """A device for checks where the device does not matter."""
    return "cpu" if any(info.backend == "cpu" for info in devices()) else "simulator"


def saved(folder: Path, values: Any, name: str = "in.npy") -> Path:
    path = folder / name
    np.save(path, values)
    return path


@pytest.mark.parametrize("device", ["simulator", "cpu"])
def test_sort_of_a_file(run: Any, tmp_path: Path, device: str) -> None:
    if device not in [info.backend for info in devices()]:
        pytest.skip(f"there is no {device} here")
    values = np.concatenate([VALUES, np.float32([np.inf, -np.inf, 0.5, -0.5])])
    source, target = saved(tmp_path, values), tmp_path / "out.npy"
    shown = run("sort", source, "-o", target, "--device", device)
    assert (shown.code, shown.out) == (0, "")
    assert shown.err.startswith(f"{device}:0 (") and "sorted 304 float32 values in" in shown.err
    assert np.array_equal(np.load(target), np.sort(values))
    assert run("sort", source, "-o", target, "--device", device, "--descending").code == 0
    assert np.array_equal(np.load(target), np.sort(values)[::-1])


def test_sort_of_foreign_byte_order_and_of_nothing(run: Any, tmp_path: Path) -> None:
    device = on_cpu_or_simulator()
    source = saved(tmp_path, np.array([3, -1, 2], ">i4"))
    assert run("sort", source, "-o", source, "--device", device).code == 0  # onto its input
    assert np.load(source).tolist() == [-1, 2, 3]
    source = saved(tmp_path, np.empty(0, np.uint32))
    assert run("sort", source, "-o", source, "--device", device).code == 0
    assert np.load(source).shape == (0,)


def test_a_dash_is_a_standard_stream(environment: Any, tmp_path: Path) -> None:
    """Whatever a driver prints does not get between the bytes."""
    write_plugin(tmp_path, "noisy", "print('import noise')\nimport os; os.write(1, b'more')\n" + good_plugin("noisy"))
    command = [sys.executable, "-m", "gpucore", "sort", "-", "-o", "-"]
    variables = environment(tmp_path, GPUCORE_BLOCK="cpu,wgpu,opencl,cuda", GPUCORE_BACKEND="simulator,noisy")
    given = io.BytesIO()
    np.save(given, np.array([3, -1, 2], np.int32))
    done = subprocess.run(
        command, input=given.getvalue(), env=variables, cwd=tmp_path, capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert np.load(io.BytesIO(done.stdout)).tolist() == [-1, 2, 3]
    assert not (tmp_path / "-").exists()


def test_no_array_is_written_to_a_terminal(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = saved(tmp_path, VALUES)
    monkeypatch.setattr(files, "is_terminal", lambda stream: True)
    shown = run("sort", source, "-o", "-")
    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith("error: standard output is a terminal, which cannot show an array")


@pytest.mark.parametrize("variant", ["naive", "shared_tile", "register_tile", "auto"])
def test_matmul_of_files(run: Any, tmp_path: Path, variant: str) -> None:
    rng = np.random.default_rng(2)
    a, b = rng.integers(-9, 9, (7, 12)).astype(np.float32), rng.integers(-9, 9, (12, 5)).astype(np.float32)
    paths = saved(tmp_path, a, "a.npy"), saved(tmp_path, np.asfortranarray(b), "b.npy")
    target = tmp_path / "c.npy"
    options = "--variant", variant, "--precision", "high"
    shown = run("matmul", *paths, "-o", target, "--device", on_cpu_or_simulator(), *options)
    assert shown.code == 0
    assert f"multiplied 7 x 12 by 12 x 5 float32 values ({variant}) in" in shown.err
    assert np.array_equal(np.load(target), a @ b)  # small whole numbers: exact in every order


def test_default_device_and_its_warning(run_process: Any, tmp_path: Path) -> None:
    write_plugin(
        tmp_path, "nogpu", good_plugin("nogpu", "unavailable=ProbeStatus.NO_DRIVER, reason='no driver at all'")
    )
    source = saved(tmp_path, np.array([2, 1], np.uint32))
    shown = run_process("sort", source, "-o", source, folders=(tmp_path,), GPUCORE_BLOCK="cpu,wgpu,opencl,cuda")
    assert shown.code == 0
    assert shown.err.startswith("warning: no GPU can be used; simulator:0 (software) was chosen instead, because\n")
    assert "nogpu: no_driver: no driver at all" in shown.err
    assert np.load(source).tolist() == [1, 2]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: None, "cannot be read: No such file or directory"),
        (lambda path: path.mkdir(), "cannot be read: Is a directory"),
        (lambda path: path.write_bytes(b""), "is not a .npy file: it is empty"),
        (lambda path: path.write_text("hello"), "is not a .npy file: it starts with b'hello'"),
        (lambda path: np.savez(path.open("wb"), a=VALUES), "it is an archive, such as an .npz file"),
        (lambda path: np.save(path, np.array([1, None])), "it holds Python objects, which are never loaded"),
        (lambda path: np.save(path, VALUES.reshape(2, -1)), "holds an array of shape (2, 150); sort takes rank 1"),
        (lambda path: np.save(path, np.float32(1)), "holds an array of shape (); sort takes rank 1"),
        (lambda path: np.save(path, VALUES.astype(complex)), "dtype '<c16' (complex128) has no counterpart on devices"),
        (lambda path: np.save(path, VALUES > 0), "device arrays cannot hold bool"),
        (
            lambda path: np.save(path, VALUES.astype(np.int8)),
            "holds int8; sort takes integers of 32 and 64 bits",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_bad_input_files(run: Any, tmp_path: Path, make: Any, message: str) -> None:
    source, target = tmp_path / "in.npy", tmp_path / "out.npy"
    make(source)
    shown = run("sort", source, "-o", target, "--device", "simulator")
    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith(f"error: {source}") and message in shown.err
    assert not target.exists()


def test_damaged_files_never_raise_anything_else(tmp_path: Path) -> None:
    whole = saved(tmp_path, VALUES).read_bytes()
    chooser = random.Random(3)
    refusals: list[str] = []
    for _ in range(300):
        damaged = bytearray(whole[: chooser.choice([len(whole), chooser.randrange(len(whole))])])
        for _ in range(chooser.randrange(1, 6)):
            if damaged:
                damaged[chooser.randrange(min(len(damaged), 140))] = chooser.randrange(256)
        path = tmp_path / "damaged.npy"
        path.write_bytes(bytes(damaged))
        try:
            read_array(str(path))
        except ArgumentError as error:
            refusals.append(str(error))
    assert len(refusals) > 100
    assert all(refusal.startswith(str(path)) for refusal in refusals)


def test_a_size_beyond_memory_is_told(tmp_path: Path) -> None:
    whole = saved(tmp_path, VALUES).read_bytes()
    path = tmp_path / "huge.npy"
    path.write_bytes(whole.replace(b"(300,), }         ", b"(9999999999999,), }"[:18]))
    with pytest.raises(ArgumentError, match=r"huge\.npy"):
        read_array(str(path))


def test_wrong_shapes_and_dtypes_of_matrices(run: Any, tmp_path: Path) -> None:
    a, b = saved(tmp_path, np.ones((2, 3), np.float32), "a.npy"), saved(tmp_path, np.ones((3, 2), np.int32), "b.npy")
    target = tmp_path / "c.npy"
    shown = run("matmul", a, a, "-o", target, "--device", "simulator")
    assert (shown.code, shown.err) == (
        2,
        "error: matmul takes shapes (..., m, k) and (..., k, n), not (2, 3) and (2, 3)\n",
    )
    shown = run("matmul", a, b, "-o", target, "--device", "simulator")
    assert shown.code == 2 and "matrices of one dtype" in shown.err
    shown = run("matmul", a, saved(tmp_path, VALUES), "-o", target, "--device", "simulator")
    assert shown.code == 2 and "holds an array of shape (300,); matmul takes rank 2" in shown.err
    assert run("matmul", a, b, "-o", target, "--variant", "magic").code == 2
    assert not target.exists()


def test_outputs_that_cannot_be_written(run: Any, tmp_path: Path) -> None:
    source = saved(tmp_path, VALUES)
    nowhere = tmp_path / "nowhere" / "out.npy"
    for target, message in (
        (tmp_path, "it is a folder"),
        (nowhere, f"there is no folder {nowhere.parent}"),
        (Path(os.devnull), "it is not a regular file"),
    ):
        shown = run("sort", source, "-o", target, "--device", "simulator")
        assert (shown.code, shown.err) == (2, f"error: {target} cannot be written: {message}\n")
    assert not Path(os.devnull).is_file()
    assert os.listdir(tmp_path) == ["in.npy"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_folder_without_permission(run: Any, tmp_path: Path) -> None:
    source, folder = saved(tmp_path, VALUES), tmp_path / "closed"
    folder.mkdir(mode=0o500)
    shown = run("sort", source, "-o", folder / "out.npy", "--device", "simulator")
    assert shown.code == 2 and "permission denied" in shown.err


def test_links_are_followed_and_permissions_kept(tmp_path: Path) -> None:
    real, link = saved(tmp_path, VALUES, "real.npy"), tmp_path / "link.npy"
    real.chmod(0o640)
    link.symlink_to(real)
    write_array(files.check_writable(str(link)), np.arange(3))
    assert link.is_symlink() and np.load(real).tolist() == [0, 1, 2]
    assert stat.S_IMODE(real.stat().st_mode) == 0o640


@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError(28, "No space left on device")])
def test_nothing_partial_is_left(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    source, target = saved(tmp_path, np.array([2, 1], np.uint32)), saved(tmp_path, VALUES, "out.npy")

    def save_partly(file: Any, values: Any, **options: Any) -> None:
        file.write(b"partial")
        raise error

    monkeypatch.setattr(np, "save", save_partly)
    shown = run("sort", source, "-o", target, "--device", on_cpu_or_simulator())
    if isinstance(error, KeyboardInterrupt):
        assert (shown.code, shown.err) == (130, "interrupted\n")
    else:
        assert (shown.code, shown.err) == (2, f"error: {target} cannot be written: No space left on device\n")
    assert sorted(os.listdir(tmp_path)) == ["in.npy", "out.npy"]
    assert np.array_equal(np.load(target), VALUES)


def test_device_errors_and_their_codes(run: Any, register: Any, tmp_path: Path) -> None:
    register(FakeBackend("lostone", faults=Faults(dispatch=DeviceLostError("it fell off the bus"))))
    register(FakeBackend("f32only", capabilities=frozenset()))
    source, target = saved(tmp_path, VALUES), tmp_path / "out.npy"
    shown = run("sort", source, "-o", target, "--device", "lostone")
    assert (shown.code, shown.err) == (4, "error: it fell off the bus\n")
    shown = run("sort", saved(tmp_path, VALUES.astype(float)), "-o", target, "--device", "f32only")
    assert (shown.code, shown.err) == (
        2, "error: f32only:0 (Fake 0) does not have float64; choose another device, or convert the file\n"
    )  # fmt: skip
    shown = run("sort", source, "-o", target, "--device", "nosuch")
    assert shown.code == 3 and "there is no backend 'nosuch'" in shown.err
    shown = run("sort", source, "-o", target, "--device", "two words")
    assert shown.code == 2 and "does not name a device" in shown.err
    assert not target.exists()
