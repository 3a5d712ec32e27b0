"""What changes the fingerprint of a kernel, by which it is found in the cache on disk, and what does not."""

from __future__ import annotations

import importlib.util
import itertools
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from gpucore import ir
from gpucore.fingerprint import fingerprint
from gpucore.front import Specialisation

_numbers = itertools.count()

BASE = """
import enum, functools, math, typing
import numpy as np
import gpucore as gp
import helpers_of_fingerprint as helpers

T = gp.f32
SCALE = 2.0
UNUSED = 1
PAIR = (1, 2)
ZERO = 0.0
TABLE = np.array([1, 2, 3], np.int32)
CONFIG = {"n": 4, "names": {"a", "b", "c"}}
Metres = typing.NewType("Metres", gp.f32)

class Kind(enum.IntEnum):
    A = 0
    B = 1

class Mixin:
    def area(self):
        return self.w * self.h

@gp.struct
class Box(Mixin):
    w: gp.f32
    h: gp.f32
    FACTOR = 3

    @staticmethod
    def unit():
        return Box(1.0, 1.0)

    @property
    def half(self):
        return self.w / 2.0

def inner(x):
    return x + 1.0

def outer(x, y=5.0):
    return inner(x) * y

def make(offset):
    @gp.kernel
    def k(x: gp.In[gp.f32], y: gp.Out[gp.f32], n: gp.Const[int]):
        i = gp.global_id(0)
        if i < y.size:
            z: T = SCALE * x[i]
            m = Metres(z)
            b = Box(z, gp.f32(TABLE[i % 3]))
            if PAIR[0] == 1 and Kind.A == 0:
                z += outer(z) + offset + ZERO + b.area() + b.half + Box.unit().w + helpers.more(z)
            for j in gp.unroll(range(gp.static(CONFIG["n"] + len(CONFIG["names"])))):
                z += gp.f32(j + Box.FACTOR + helpers.CONSTANTS.PI + n) + gp.f32(m) + math.sqrt(z)
            y[i] = z
    return k

k = make(7)
"""

HELPERS = """
class CONSTANTS:
    PI = 3

def more(x):
    return deep(x) + 1.0

def deep(x):
    return x * 2.0
"""

CHANGES = {
    "the body": ("y[i] = z", "y[i] = z + 1.0"),
    "a helper of a helper": ("return x + 1.0", "return x + 2.0"),
    "the default of a helper": ("y=5.0", "y=6.0"),
    "a global number": ("SCALE = 2.0", "SCALE = 3.0"),
    "its type": ("SCALE = 2.0", "SCALE = 2"),
    "the sign of zero": ("ZERO = 0.0", "ZERO = -0.0"),
    "an item of a tuple": ("PAIR = (1, 2)", "PAIR = (1, 3)"),
    "the type of an item": ("PAIR = (1, 2)", "PAIR = (True, 2)"),
    "a name in the annotation of a local variable": ("T = gp.f32", "T = gp.f16"),
    "the contents of a table": ("[1, 2, 3]", "[1, 2, 4]"),
    "the dtype of a table": ("np.int32)", "np.uint32)"),
    "what gp.static reads": ('{"n": 4', '{"n": 5'),
    "a set that gp.static reads": ('"b", "c"}', '"b"}'),
    "a NewType": ('"Metres", gp.f32', '"Metres", gp.f16'),
    "a member of an enum": ("B = 1", "B = 2"),
    "an inherited method of a struct": ("self.w * self.h", "self.w + self.h"),
    "a static method": ("return Box(1.0, 1.0)", "return Box(2.0, 1.0)"),
    "a property": ("self.w / 2.0", "self.w / 4.0"),
    "the type of a field": ("    h: gp.f32", "    h: gp.f16"),
    "the order of fields": ("    w: gp.f32\n    h: gp.f32", "    h: gp.f32\n    w: gp.f32"),
    "a constant of a struct": ("FACTOR = 3", "FACTOR = 4"),
    "a closure variable": ("make(7)", "make(8)"),
    "an annotation of a parameter": ("x: gp.In[gp.f32]", "x: gp.InOut[gp.f32]"),
}

OF_HELPERS = {
    "a function of a module": ("deep(x) + 1.0", "deep(x) + 2.0"),
    "what that calls": ("x * 2.0", "x * 3.0"),
    "an attribute of a class of a module": ("PI = 3", "PI = 4"),
}

SAME = {
    "a global that it does not use": ("UNUSED = 1", "UNUSED = 2"),
    "its place in the file": ("def make(offset)", "\n\n\n\ndef make(offset)"),
    "another function": ("k = make(7)", "k = make(7)\n\ndef other():\n    return 1\n"),
}


def _load(folder: Path, name: str, text: str) -> ModuleType:
    path = folder / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _digest(
    tmp_path: Path, text: str = BASE, helpers: str = HELPERS, *, n: Any = 2, element: ir.Type = ir.F32
) -> bytes | None:
    folder = tmp_path / str(next(_numbers))
    folder.mkdir()
    try:
        _load(folder, "helpers_of_fingerprint", helpers)
        kernel = _load(folder, "kernels_of_fingerprint", text).k
        found = fingerprint(kernel.function, kernel.signature, Specialisation((element, ir.F32), (), (("n", n),)))
    finally:
        for name in ("helpers_of_fingerprint", "kernels_of_fingerprint"):
            sys.modules.pop(name, None)
    return None if found is None else found.digest


def _changed(text: str, change: tuple[str, str]) -> str:
    assert text.count(change[0]) == 1
    return text.replace(*change)


@pytest.mark.parametrize("what", CHANGES)
def test_it_changes_with(what: str, tmp_path: Path) -> None:
    before, after = _digest(tmp_path), _digest(tmp_path, _changed(BASE, CHANGES[what]))
    assert before is not None and after is not None
    assert before != after


@pytest.mark.parametrize("what", OF_HELPERS)
def test_it_changes_with_what_is_in_another_module(what: str, tmp_path: Path) -> None:
    before, after = _digest(tmp_path), _digest(tmp_path, helpers=_changed(HELPERS, OF_HELPERS[what]))
    assert before is not None and after is not None
    assert before != after


@pytest.mark.parametrize("what", SAME)
def test_it_does_not_change_with(what: str, tmp_path: Path) -> None:
    assert _digest(tmp_path) == _digest(tmp_path, _changed(BASE, SAME[what])) is not None


def test_it_changes_with_types_and_constants(tmp_path: Path) -> None:
    found = [_digest(tmp_path), _digest(tmp_path, n=3), _digest(tmp_path, n=True), _digest(tmp_path, element=ir.F16)]
    assert len({*found}) == len(found) and None not in found


def test_it_does_not_depend_on_the_process_or_the_path(tmp_path: Path) -> None:
    code = """
import sys; sys.path.insert(0, ".")
import kernels_of_fingerprint as m
from gpucore import ir
from gpucore.front import Specialisation
from gpucore.fingerprint import fingerprint
print(fingerprint(m.k.function, m.k.signature, Specialisation((ir.F32, ir.F32), (), (("n", 2),))).digest.hex())
"""
    found = set()
    for seed in ("1", "2"):
        folder = tmp_path / f"process {seed}"
        folder.mkdir()
        (folder / "helpers_of_fingerprint.py").write_text(HELPERS)
        (folder / "kernels_of_fingerprint.py").write_text(BASE)
        command = [sys.executable, "-c", code]
        environment = {**__import__("os").environ, "PYTHONHASHSEED": seed}
        run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
        found.add(run.stdout)
    assert len(found) == 1
