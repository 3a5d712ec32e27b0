"""What changes the fingerprint of a kernel, by which it is found in the cache on disk, and what does not."""

from __future__ import annotations

import importlib.util
import itertools
import os
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


HEAD = """
import abc, collections, dataclasses, enum, functools, random, types, typing
import numpy as np
import gpucore as gp
"""

STATES = {
    "an attribute of a function": ("gp.static(f.n)", "def f(): pass\nf.n = {}.0"),
    "what a function wraps": (
        "gp.static(f.__wrapped__())",
        "def f(): pass\ndef g():\n    return {}.0\nf.__wrapped__ = g",
    ),
    "a method of a dict": ("gp.static(get('n'))", "get = dict(n={}.0).get"),
    "a method of an object in C": ("gp.static(draw())", "draw = random.Random({}).random"),
    "a module imported in a helper": (
        "gp.static(f())",
        "def f():\n    import random as r\n    return r.N\nrandom.N = {}.0",
    ),
    "the globals, read as a dict": ("gp.static(f())", "def f():\n    return globals()['N']\nN = {}.0"),
    "the globals, read by eval": ("gp.static(eval('N', d))", "d = dict(N={}.0)"),
    "a file": ("gp.static(float(open('data').read()))", "N = {}"),
    "a file of numbers": ("gp.static(float(np.loadtxt('data')))", "N = {}"),
    "a set of a class": ("gp.static(float(1 in C.A))", "class C:\n    A = {{ {} }}"),
    "a frozenset of a class": ("gp.static(float(1 in C.A))", "class C:\n    A = frozenset([{}])"),
    "a range of a class": ("gp.static(float(len(C.A)))", "class C:\n    A = range({})"),
    "None of a class": ("gp.static(float(C.A is None))", "class C:\n    A = (None, ...)[{} - 1]"),
    "an object of a class": ("gp.static(C.A.x)", "class C:\n    A = types.SimpleNamespace(x={}.0)"),
    "a partial function of a class": ("gp.static(C.A())", "class C:\n    A = functools.partial(float, {})"),
    "a cached function of a class": (
        "gp.static(C.f())",
        "N = {}.0\nclass C:\n    @staticmethod\n    @functools.lru_cache\n    def f(): return N",
    ),
    "a private method of an enum": (
        "gp.static(E.A._f())",
        "class E(enum.Enum):\n    A = 1\n    def _f(self): return {}.0",
    ),
    "an alias in an enum": ("gp.static(float(E.B))", "class E(enum.IntEnum):\n    A = 1\n    C = 2\n    B = {}"),
    "the names of a named tuple": (
        "gp.static(p.x)",
        "p = collections.namedtuple('P', 'x y' if {} == 1 else 'y x')(1.0, 2.0)",
    ),
    "a default that is a struct": (
        "P(1.0).b.x",
        "@gp.struct\nclass Q:\n    x: gp.f32\n@gp.struct\nclass P:\n    a: gp.f32\n    b: Q = Q({}.0)",
    ),
    "a default of a dataclass with slots": (
        "gp.static(D().n)",
        "@dataclasses.dataclass(slots=True)\nclass D:\n    n: float = {}.0",
    ),
    "a default factory": (
        "gp.static(D().n[0])",
        "@dataclasses.dataclass\nclass D:\n    n: list = dataclasses.field(default_factory=lambda: [{}.0])",
    ),
    "a metaclass": (
        "gp.static(C.n)",
        "class M(type):\n    @property\n    def n(cls): return {}.0\nclass C(metaclass=M): pass",
    ),
    "what a module's __getattr__ gives": (
        "gp.static(m.n)",
        "m = types.ModuleType('m')\nm.__getattr__ = lambda name: {}.0",
    ),
    "a ufunc of the user's": ("gp.static(float(f(1)))", "f = np.frompyfunc(lambda x: x + {}, 1, 1)"),
    "an opaque object that a docstring names first": (
        "gp.f32(a(1.0)) + z(1.0)",
        "C = types.SimpleNamespace(n={}.0)\ndef z(x):\n    return x * gp.static(C.n)\n"
        "def a(x):\n    'see: z'\n    return x",
    ),
    "one of the lambdas on a line": (
        "gp.static(f())",
        "N = {}\nF = (lambda: 1.0, lambda: 2.0)\nf = F[N - 1]",
    ),
    "a global that the body of a class reads": (
        "gp.static(f())",
        "N = {}.0\ndef f():\n    class C:\n        n = N\n    return C.n",
    ),
    "a file that an imported NumPy reads": (
        "gp.static(f())",
        "N = {}\ndef f():\n    import numpy as n\n    return float(n.loadtxt('data'))",
    ),
    "a file that an imported function reads": (
        "gp.static(float(load('data')))",
        "N = {}\nfrom numpy import load",
    ),
    "a file that an imported class reads": (
        "gp.static(float(memmap('data')[0]))",
        "N = {}\nfrom numpy import memmap",
    ),
    "the state of an imported module": ("gp.static(random.rand())", "N = {}\nfrom numpy import random"),
    "a class that types makes": (
        "gp.static(C.n)",
        "C = types.new_class('C', (), dict(), lambda names: names.update(n={}.0))",
    ),
    "a class that dataclasses makes": (
        "gp.static(C().n)",
        "C = dataclasses.make_dataclass('C', [('n', float, {}.0)])",
    ),
    "a class of a text without a name": ("C.n", "made = {{}}\nexec('class C: n = {}.0', made)\nC = made['C']"),
    "what an enum makes of other values": (
        "gp.static(float(E(7).value))",
        "class E(enum.Enum):\n    A = 1\n    B = 2\n    @classmethod\n    def _missing_(cls, value): return cls({})",
    ),
    "defaults of a named tuple": (
        "gp.static(p().x)",
        "p = collections.namedtuple('P', 'x')\np.__new__.__defaults__ = ({}.0,)",
    ),
    "metadata of a dataclass": (
        "gp.static(dataclasses.fields(D)[0].metadata['n'])",
        "@dataclasses.dataclass\nclass D:\n    x: int = dataclasses.field(default=1, metadata=dict(n={}.0))",
    ),
    "an array whose fields overlap": (
        "gp.static(float(A['a'][0]))",
        "A = np.zeros(1, dict(names=['a', 'b'], formats=['i4', 'i2'], offsets=[0, 0]))\nA['a'] = {}",
    ),
    "an int of many digits": ("gp.static(float(N & 3))", "N = (1 << 20_000) + {}"),
    "an annotation of several lines": (
        "0.0\n        w: (\n            T\n        ) = 1",
        "T = (gp.f32, gp.i32)[{} - 1]",
    ),
    "an annotation at the end": ("0.0\n        w: T", "T = (gp.f32, gp.i32)[{} - 1]"),
}


@pytest.mark.parametrize("what", STATES)
def test_kernels_that_differ_in_what_lowering_may_read_share_no_fingerprint(what: str, tmp_path: Path) -> None:
    value, text = STATES[what]
    kernel = "@gp.kernel\ndef k(x: gp.In[gp.f32], y: gp.Out[gp.f32], n: gp.Const[int]):\n"
    body = f"    i = gp.global_id(0)\n    if i < y.size:\n        y[i] = {value}\n"
    found = [_digest(tmp_path, f"{HEAD}{text.format(state)}\n\n{kernel}{body}") for state in (1, 2)]
    assert found[0] != found[1] or found == [None, None]


def test_a_function_of_a_module_with_the_name_of_a_named_tuple_is_read(tmp_path: Path) -> None:
    def digest(number: int) -> bytes | None:
        folder = tmp_path / f"helpers {number}"
        folder.mkdir()
        _load(folder, "namedtuple_helpers", f"def f(x):\n    return x * {number}.0\n")
        kernel = "@gp.kernel\ndef k(x: gp.In[gp.f32], y: gp.Out[gp.f32], n: gp.Const[int]):\n    y[0] = f(x[0])\n"
        return _digest(tmp_path, f"{HEAD}from namedtuple_helpers import f\n{kernel}")

    assert digest(1) != digest(2) is not None


def test_the_text_of_a_function_is_whole_without_columns(tmp_path: Path) -> None:
    """With -X no_debug_ranges the bytecode says only where each expression begins."""
    code = """
import sys
import gpucore as gp
from gpucore.fingerprint import _text_of

def f(x):
    return (
        x
        + 1.0
    )

AFTER = 1
sys.stdout.write(_text_of(f))
"""
    (tmp_path / "program.py").write_text(code)
    for options in ([], ["-X", "no_debug_ranges"]):
        command = [sys.executable, *options, "program.py"]
        run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        assert run.stdout == "def f(x):\n    return (\n        x\n        + 1.0\n    )"


def test_a_change_of_what_is_opaque_is_noticed_while_the_cache_is_on(tmp_path: Path) -> None:
    code = """
import threading
import gpucore as gp

class Types:
    lock = threading.Lock()
    T = gp.f32

@gp.kernel
def k(y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    z: Types.T = 1.5
    if i < y.size:
        y[i] = z

y = gp.zeros(1, device="cpu")
k(y)
class Types:
    T = gp.i32
try:
    k(y)
except gp.CompileError as error:
    print(type(error).__name__)
"""
    (tmp_path / "program.py").write_text(code)
    environment = {**os.environ, "GPUCORE_CACHE": "on", "GPUCORE_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "program.py"]
    run = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert run.stdout == "KernelTypeError\n"


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
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
        found.add(run.stdout)
    assert len(found) == 1
