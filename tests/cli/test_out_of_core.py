"""`--stream`: what core gives to the distribution that streams, and what it says without one."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path
from typing import Any

import pytest

from gpucore.cli.numbers import parse_bytes
from gpucore.errors import CapabilityError


class EntryPoints:
    """The entry points of an environment: a function for each command."""

    def __init__(self, **functions: Any) -> None:
        self._functions = functions

    def __call__(self, *, group: str, name: str) -> list[Any]:
        assert group == "gpucore.streaming"
        return [EntryPoint(self._functions[name])] if name in self._functions else []


class EntryPoint:
    value = "some.module:function"

    def __init__(self, function: Any) -> None:
        self._function = function

    def load(self) -> Any:
        if isinstance(self._function, Exception):
            raise self._function
        return self._function


@pytest.fixture
def environment_has(monkeypatch: pytest.MonkeyPatch) -> Any:
    def install(**functions: Any) -> None:
        monkeypatch.setattr(importlib.metadata, "entry_points", EntryPoints(**functions))

    install()
    return install


def test_what_the_functions_get(run: Any, environment_has: Any) -> None:
    calls: list[Any] = []

    def compute(*arguments: Any, **options: Any) -> str:
        calls.append((arguments, options))
        print("noise of a driver")
        return "a report"

    environment_has(sort=compute, matmul=compute)
    shown = run("sort", "a.npy", "--stream", "--memory", "4GiB", "-o", "b.npy", "--device", "cpu", "--descending")
    assert (shown.code, shown.out, shown.err) == (0, "", "noise of a driver\na report\n")
    assert run("matmul", "a.npy", "b.npy", "--stream", "-o", "c.npy").code == 0
    given = {"overwrite": True, "progress": True}
    assert calls == [
        (("a.npy", "b.npy"), {"device": "cpu", "memory": 4 << 30, "descending": True, **given}),
        (("a.npy", "b.npy", "c.npy"), {"device": None, "memory": None, "precision": "highest", **given}),
    ]


def test_without_the_distribution(run: Any, environment_has: Any, tmp_path: Path) -> None:
    install = "pip install --upgrade ./scale, in the folder of gpucore's source"
    shown = run("sort", "a.npy", "--stream", "-o", tmp_path / "b.npy")
    assert (shown.code, shown.err) == (2, f"error: --stream needs gpucore-dask, which is not installed: {install}\n")
    environment_has(sort=ImportError("No module named 'numpy.core'"))
    shown = run("sort", "a.npy", "--stream", "-o", tmp_path / "b.npy")
    assert (shown.code, shown.err) == (
        2, f"error: --stream: some.module:function cannot be loaded: No module named 'numpy.core'; {install}\n"
    )  # fmt: skip


def test_options_that_do_not_fit_together(run: Any, environment_has: Any) -> None:
    for arguments, message in (
        (("sort", "a.npy", "--memory", "1GiB"), "--memory is for --stream; without it all arrays are on the device"),
        (
            ("matmul", "a.npy", "b.npy", "--stream", "--variant", "naive"),
            "--stream multiplies by the variant auto; leave --variant out",
        ),
        (
            ("sort", "-", "--stream"),
            "--stream reads and writes parts of files, and - is a standard stream; name a file",
        ),
    ):
        shown = run(*arguments, "-o", "c.npy")
        assert (shown.code, shown.out, shown.err) == (2, "", f"error: {message}\n")


def test_a_dtype_that_the_device_lacks(run: Any, environment_has: Any) -> None:
    def compute(*arguments: Any, **options: Any) -> str:
        raise CapabilityError("GP401", "sort was given f64, which some:0 does not have", fix="make it of f32")

    environment_has(sort=compute)
    shown = run("sort", "a.npy", "--stream", "-o", "b.npy")
    assert (shown.code, shown.err) == (
        2,
        "error: sort was given f64, which some:0 does not have; choose another device, or convert the files\n",
    )


def test_sizes(run: Any) -> None:
    for text, nbytes in (
        ("1", 1), ("4GiB", 4 << 30), ("1.5 KiB", 1536), ("2kb", 2000), ("3M", 3_000_000), ("1TiB", 1 << 40), ("10B", 10)
    ):  # fmt: skip
        assert parse_bytes(text) == nbytes
    for text in ("0", "-1", "", "GiB", "1XiB", "1e9", "0.1B", "nan"):
        shown = run("sort", "a.npy", "--stream", f"--memory={text}", "-o", "b.npy")
        assert shown.code == 2
        assert shown.err.endswith(f"a size is a number of bytes above 0, such as 4GiB or 500MB, not {text!r}\n")
