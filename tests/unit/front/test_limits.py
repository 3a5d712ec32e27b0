"""Kernels at the edge of what the compiler takes: they compile, or are refused with a code; nothing else comes out."""

from __future__ import annotations

import functools
import linecache
from typing import TypeVar

import numpy as np
import pytest

import gpucore as gp
from gpucore.errors import CompileError

HEAD = "@gp.kernel(workgroup_size=8)\ndef k(x: gp.In[gp.i32], y: gp.InOut[gp.i32]):\n    i = gp.global_id(0)\n"


def make(text: str, **names: object) -> gp.Kernel:
    """The kernel `k` of a text that follows the head."""
    name = f"<limits {abs(hash(text))}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    found = {"gp": gp, "__name__": "limits", **names}
    exec(compile(text, name, "exec"), found)  # noqa: S102 (text of this file)
    kernel = found["k"]
    assert isinstance(kernel, gp.Kernel)
    return kernel


def result(kernel: gp.Kernel, device: str, x: np.ndarray) -> list[int]:
    y = gp.zeros(8, gp.i32, device=device)
    kernel(gp.asarray(x, device=device), y, invocations=8)
    return y.numpy().tolist()


@pytest.mark.parametrize("device", ["simulator", "cpu"])
def test_long_sums_and_conditions(device):
    x = np.arange(8, dtype=np.int32)
    assert result(make(HEAD + f"    y[i] = {' + '.join(['x[i]'] * 900)}\n"), device, x) == (x * 900).tolist()
    assert result(make(HEAD + f"    y[i] = {' - '.join(['i'] * 900)}\n"), device, x) == (x * -898).tolist()
    chain = " and ".join(f"x[{n % 8}] < {n + 8}" for n in range(300))
    assert result(make(HEAD + f"    if {chain}:\n        y[i] = 1\n"), device, x) == [1] * 8


@pytest.mark.parametrize(("device", "count"), [("simulator", 1000), ("cpu", 300)])  # LLVM takes 10 s for 1000
def test_many_copies_with_break(device, count):
    loop = f"    for u in gp.unroll(range({count})):\n        if x[i] == u:\n            break\n        t += u\n"
    body = f"    t = 0\n{loop}    y[i] = t\n"
    x = np.array([0, 1, 2, 10, 500, 998, 999, 5000], np.int32)
    assert result(make(HEAD + body), device, x) == [sum(range(min(int(n), count))) for n in x]


def code_of(text: str, **names: object) -> str:
    with pytest.raises(CompileError) as caught:
        make(text, **names).module()
    error = caught.value
    assert error.span is not None and error.why and error.fix
    return error.code


DEEP_IF = "".join("    " * (d + 1) + f"if x[i] > {d}:\n" for d in range(90)) + "    " * 91 + "y[i] = 1\n"
RETURNS = "".join(f"    if x[i] == {d}:\n        y[i] = {d}\n        return\n" for d in range(300))
ELIFS = "    if x[i] == 0:\n        y[i] = 0\n" + "".join(
    f"    elif x[i] == {d}:\n        y[i] = {d}\n" for d in range(300)
)
CALLS = "def h0(v):\n    return v * 2 + 1\n" + "".join(
    f"def h{d}(v):\n    return h{d - 1}(v) + h{d - 1}(v + 1)\n" for d in range(1, 25)
)

REFUSED = {
    "deep branches": ("GP110", HEAD + DEEP_IF),
    "many early returns": ("GP110", HEAD + RETURNS),
    "many elifs": ("GP110", HEAD + ELIFS),
    "deep parentheses": ("GP110", HEAD + f"    y[i] = {'-~' * 900}i\n"),
    "helpers that double": ("GP211", CALLS + HEAD + "    y[i] = h24(i)\n"),
    "unrolled in unrolled": (
        "GP211",
        HEAD
        + "    for a in gp.unroll(range(4000)):\n        for b in gp.unroll(range(4000)):\n            y[i] += 1\n",
    ),
    "unrolled too far": ("GP205", HEAD + "    for a in gp.unroll(range(10**30)):\n        y[i] += 1\n"),
    "power of powers": ("GP205", HEAD + "    y[i] = 10 ** 1000 ** 3\n"),
    "literal of many bits": ("GP205", HEAD + f"    y[i] = {hex(1 << 20000)}\n"),
    "array of many elements": ("GP205", HEAD + "    a = gp.private_array(gp.i32, 10**12)\n    y[i] = a[0]\n"),
    "Out in dead code": ("GP311", HEAD.replace("InOut", "Out") + "    return\n    y[i] = 1\n"),
    "array chosen at run time": (
        "GP204",
        HEAD + "    a = gp.private_array(gp.i32, 2)\n    if i > 2:\n        a = x\n    y[i] = a[0]\n",
    ),
    "array of a loop after it": (
        "GP207",
        HEAD + "    while True:\n        a = gp.private_array(gp.i32, 2)\n        break\n    y[i] = a[0]\n",
    ),
    "name of one copy after a break": (
        "GP207",
        HEAD
        + "    for u in gp.unroll(range(3)):\n        if x[i] > u:\n            break\n        t = u\n    y[i] = t\n",
    ),
    "name of one copy after a continue": (
        "GP207",
        HEAD
        + "    for u in gp.unroll(range(3)):\n        if i > u:\n            continue\n        t = u\n    y[i] = t\n",
    ),
    "an Out in an atomic": ("GP208", HEAD.replace("InOut", "Out") + "    gp.atomic_add(y, 0, 1)\n"),
    "len of a number": ("GP202", HEAD + "    y[i] = len(5)\n"),
    "comparison that Python refuses": ("GP202", HEAD + "    if 1 < 'a':\n        y[i] = 1\n"),
    "result on some paths": ("GP206", "def f(v):\n    if v > 2:\n        return v\n" + HEAD + "    y[i] = f(i)\n"),
    "result or nothing": (
        "GP206",
        "def f(v):\n    if v > 2:\n        return\n    return v\n" + HEAD + "    y[i] = f(i)\n",
    ),
    "results of two shapes": (
        "GP206",
        "def f(v):\n    if v > 2:\n        return v, v\n    return v\n" + HEAD + "    y[i] = f(i)\n",
    ),
    "field given twice": ("GP206", HEAD + "    y[i] = P(1, a=2).a\n"),
    "keyword for a conversion": ("GP206", HEAD + "    y[i] = gp.i32(i, value=2)\n"),
    "host function": ("GP106", HEAD + "    gp.zeros(3)\n"),
    "algorithm": ("GP106", HEAD + "    gp.sort(x)\n"),
    "decorated helper": ("GP101", HEAD + "    y[i] = wrapped(i)\n"),
    "kernel in a kernel": ("GP106", HEAD + "    other(y, y)\n"),
    "count of a vector shift": ("GP202", HEAD + "    y[i] = i << gp.i32x2(1)\n"),
}


@gp.struct
class P:
    a: gp.i32


def plain(value):
    return value


@functools.wraps(plain)
def wrapped(value):
    return plain(value) + 1


@gp.kernel
def other(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    y[0] = x[0]


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    code, text = REFUSED[name]
    assert code_of(text, P=P, wrapped=wrapped, other=other) == code


def test_annotations_as_text_see_the_names_around_the_kernel():
    Element = TypeVar("Element", gp.i32, gp.u32)
    result_type = gp.i32

    @gp.struct
    class Local:
        a: result_type

    @gp.kernel(workgroup_size=8)
    def shifted(x: gp.In[Element], p: Local, y: gp.Out[result_type], n: gp.Const[int] = 2):
        i = gp.global_id(0)
        y[i] = gp.i32(x[i] << Element(n)) + p.a

    y = gp.empty(8, gp.i32, device="simulator")
    shifted(gp.arange(8, device="simulator"), Local(1), y, invocations=8)
    assert y.numpy().tolist() == [4 * i + 1 for i in range(8)]


def test_text_that_is_replaced_after_the_definition_changes_nothing():
    """A text that is no file is read at the decorator: the next input may have its name."""
    text = "@gp.kernel\ndef k(y: gp.Out[gp.i32]):\n    y[0] = 1\n"
    kernel = make(text)
    name = kernel.function.__code__.co_filename
    other_text = "\n\nother = 1\n"
    linecache.cache[name] = (len(other_text), None, other_text.splitlines(keepends=True), name)
    y = gp.zeros(1, gp.i32, device="simulator")
    kernel(y, workgroups=1)
    assert y.numpy().tolist() == [1]


def test_a_kernel_of_equal_text_in_another_file_keeps_its_own_place():
    """Code objects of equal text compare as equal."""
    bad = "@gp.kernel\ndef k(y: gp.Out[gp.i32]):\n    y[0] = nothing\n"
    places = set()
    for name in ("<first>", "<second>"):
        linecache.cache[name] = (len(bad), None, bad.splitlines(keepends=True), name)
        names: dict[str, object] = {"gp": gp}
        exec(compile(bad, name, "exec"), names)  # noqa: S102 (text of this test)
        with pytest.raises(CompileError) as caught:
            names["k"].module()
        places.add(caught.value.span.file)
    assert places == {"<first>", "<second>"}
