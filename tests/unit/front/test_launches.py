"""A repeated call takes a short way, and is checked all the same."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
import textwrap
from types import SimpleNamespace

import numpy as np
import pytest

import gpucore as gp
from gpucore.dispatch import plan_grid
from gpucore.launch import Launch
from gpucore.testing import require_device

FACTOR = 2


@dataclasses.dataclass(frozen=True)
class Shape:
    width: int


@gp.struct
class Pair:
    a: gp.f32
    b: gp.i32


@gp.kernel(workgroup_size=4)
def scaled(a: gp.f32, x: gp.In[gp.f32], y: gp.Out[gp.f32], unused: gp.u32 = 0):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = a * x[i] * gp.f32(FACTOR)


@gp.kernel(workgroup_size=4)
def half_used(p: Pair, y: gp.Out[gp.f32]):
    y[gp.global_id(0)] = p.a


@gp.kernel(workgroup_size=4)
def constant(y: gp.Out[gp.f32], value: gp.Const[object]):
    y[gp.global_id(0)] = gp.f32(gp.static(value.width if hasattr(value, "width") else value * 2))


@gp.kernel(workgroup_size=4)
def quads(x: gp.In[gp.f32x4], y: gp.Out[gp.f32]):
    y[gp.global_id(0)] = x[0].x + gp.f32(x.size)


@pytest.fixture
def repeats(monkeypatch):
    """How each attempt at the short way ended. No call was made before."""
    for kernel in (scaled, half_used, constant, quads):
        kernel._variants.forget_plans()
    ended: list[bool] = []
    original = Launch.__init__

    def init(self, *args):
        original(self, *args)
        made = self.repeat

        def repeat(*args):
            ended.append(made(*args))
            return ended[-1]

        self.repeat = repeat

    monkeypatch.setattr(Launch, "__init__", init)
    return ended


@pytest.fixture
def arrays():
    x = gp.arange(4, dtype=gp.f32, device="simulator")
    return x, gp.empty(4, gp.f32, device="simulator")


def test_the_second_call_is_a_repetition(repeats, arrays):
    x, y = arrays
    scaled(1.0, x, y, 0, invocations=4)
    scaled(3, x, y, 7, invocations=4)
    assert repeats == [True]
    assert y.numpy().tolist() == [0, 6, 12, 18]
    scaled(np.float32(1.5), unused=np.uint32(3), y=y, x=x, invocations=4)
    assert y.numpy().tolist() == [0, 3, 6, 9]
    scaled(a=2.0, x=x, y=y, unused=0, invocations=4)
    assert repeats[-1] and y.numpy().tolist() == [0, 4, 8, 12]


def test_other_arrays_and_grids(repeats, arrays):
    x, y = arrays
    scaled(1.0, x, y, 0, invocations=4)
    long, other = gp.arange(9, dtype=gp.f32, device="simulator"), gp.zeros(9, device="simulator")
    scaled(1.0, long, other, 0, invocations=9)
    scaled(2.0, long, other, 0, invocations=9)
    scaled(2.0, long.reshape(9), other, 0, workgroups=3)
    assert repeats == [True, True, True]
    assert other.numpy().tolist() == [4.0 * i for i in range(9)]


def test_a_changed_global_is_noticed(repeats, arrays, monkeypatch):
    x, y = arrays
    scaled(1.0, x, y, 0, invocations=4)
    monkeypatch.setitem(globals(), "FACTOR", 5)
    scaled(1.0, x, y, 0, invocations=4)
    assert repeats == [False]
    assert y.numpy().tolist() == [0, 5, 10, 15]


WRONG = {
    "string": (("1", "x", "y", 0), "'a' must be a number"),
    "too large": ((1e300, "x", "y", 0), "'a' is 1e\\+300, which is beyond the range of f32"),
    "huge": ((10**400, "x", "y", 0), "'a' is 1000"),
    "bool": ((True, "x", "y", 0), "'a' must be a number"),
    "unused out of range": ((1.0, "x", "y", -1), "'unused' is -1, and u32 holds 0 to"),
    "unused float": ((1.0, "x", "y", 0.5), "'unused' must be a whole number"),
    "same array": ((1.0, "y", "y", 0), "'y' is the same memory as 'x'"),
    "NumPy array": ((1.0, np.zeros(4, np.float32), "y", 0), "'x' is a NumPy array"),
    "other dtype": ((1.0, "ints", "y", 0), "'x' holds i32, and the kernel takes f32"),
    "other rank": ((1.0, "square", "y", 0), "'x' has rank 2, and the kernel takes rank 1"),
    "other device": ((1.0, "x", "elsewhere", 0), "'y' is on cpu:0, and another argument is on simulator:0"),
    "all on another device, closed": ((1.0, "closed", "y", 0), "'x' was closed"),
    "list": ((1.0, [1.0], "y", 0), "'x' must be a device array, not list"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_arguments_after_a_good_call(arrays, name):
    x, y = arrays
    closed = gp.zeros(4, device="simulator")
    closed.close()
    named = {"x": x, "y": y, "closed": closed, "ints": gp.arange(4, device="simulator"), "square": x.reshape(2, 2),
             "elsewhere": gp.zeros(4, device="cpu")}  # fmt: skip
    scaled(1.0, x, y, 0, invocations=4)
    arguments, message = WRONG[name]
    with pytest.raises(gp.ArgumentError, match=message):
        scaled(*[named.get(a, a) if isinstance(a, str) else a for a in arguments], invocations=4)


def test_what_is_no_array_is_named_without_a_grid_too(arrays):
    for wrong in (SimpleNamespace(shape=None), 3.0):
        with pytest.raises(gp.ArgumentError, match=f"'y' must be a device array, not {type(wrong).__name__}"):
            scaled(1.0, arrays[0], wrong)
        with pytest.raises(gp.ArgumentError, match="invocations"):
            scaled(1.0, *arrays, invocations=wrong)


@pytest.mark.parametrize("grid", [{"invocations": 4, "workgroups": 1}, {"invocations": -4}, {"invocations": 4.0},
                                  {"invocations": True}, {"workgroups": "1"}, {"invocations": 2**31}])  # fmt: skip
def test_wrong_grids_after_a_good_call(arrays, grid):
    x, y = arrays
    scaled(1.0, x, y, 0, invocations=4)
    scaled(1.0, x, y, 0, invocations=1)
    with pytest.raises(gp.ArgumentError):
        scaled(1.0, x, y, 0, **grid)


def test_fields_that_the_kernel_does_not_use_are_checked(arrays):
    y = arrays[1]
    half_used(Pair(1.0, 2), y, invocations=4)
    for wrong in (Pair(1.0, 2.5), Pair(1.0, 2**31), Pair("1", 0), (1.0, 2)):
        with pytest.raises(gp.ArgumentError):
            half_used(wrong, y, invocations=4)


def test_constants_that_python_calls_equal(arrays):
    y = arrays[1]
    for value, wanted in ((1, 2), (True, 2), (1.0, 2), (Shape(7), 7), (0.0, 0), (-0.0, 0), (2, 4), (Shape(8), 8)):
        for _ in range(2):
            constant(y, value, invocations=4)
            assert y.numpy().tolist() == [wanted] * 4
    for _ in range(2):
        with pytest.raises(gp.ArgumentError, match="'value' is a compile-time object, not \\[1\\]"):
            constant(y, [1], invocations=4)


def test_vectors_need_a_multiple_of_their_width(repeats, arrays):
    y = arrays[1]
    quads(gp.ones(8, device="simulator"), y, invocations=4)
    quads(gp.ones(12, device="simulator"), y, invocations=4)
    assert repeats == [True] and y.numpy().tolist() == [4.0] * 4
    with pytest.raises(gp.ArgumentError, match="'x' has a last axis of 7, and a buffer of f32x4 needs a multiple of 4"):
        quads(gp.ones(7, device="simulator"), y, invocations=4)


def test_a_closed_device_is_noticed(arrays):
    x, y = (gp.zeros(4, device="cpu") for _ in range(2))
    scaled(1.0, x, y, 0, invocations=4)
    x.device.close()
    with pytest.raises(gp.ClosedError, match="cpu:0 is closed"):
        scaled(1.0, x, y, 0, invocations=4)
    again = [gp.ones(4, device="cpu") for _ in range(2)]
    scaled(1.0, *again, 0, invocations=4)
    assert again[1].numpy().tolist() == [2.0] * 4


def test_the_greatest_grids():
    most = (2**31 - 1, 65535, 65535)
    assert plan_grid("k", (256, 1, 1), most, 2**31 - 1, None).requested == (2**23, 1, 1)
    for invocations, workgroups in ((2**31, None), (None, 2**23 + 1)):
        with pytest.raises(gp.ArgumentError, match="split the work"):
            plan_grid("k", (256, 1, 1), most, invocations, workgroups)
    with pytest.raises(gp.ArgumentError, match="split the work"):  # as many as an i32 cannot count
        plan_grid("k", (1, 1, 1), most, None, 2**31)


@dataclasses.dataclass(frozen=True)
class Scaling:
    factor: object


@gp.kernel(workgroup_size=4)
def letters(y: gp.Out[gp.i32], c: gp.Const[object]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = gp.static(len(repr(c)))


@pytest.mark.parametrize(
    "equal",
    [
        (np.float32(0.0), np.float32(-0.0)),
        (complex(0.0, 0.0), complex(0.0, -0.0)),
        (frozenset([1]), frozenset([True]), frozenset([1.0])),
        (Scaling(1), Scaling(True), Scaling(1.0)),
    ],
    ids=lambda values: type(values[0]).__name__,
)
def test_constants_that_are_equal_and_differ_are_told_apart(equal):
    y = gp.zeros(1, gp.i32, device="simulator")
    for constant in (*equal, *equal):
        letters(y, (constant,))
        assert y.numpy().tolist() == [len(repr((constant,)))]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_repeated_call_in_a_forked_child_is_refused_while_a_thread_of_the_parent_holds_the_device(tmp_path):
    code = """
    import os, signal, threading
    import gpucore as gp

    @gp.kernel
    def k(y: gp.Out[gp.f32]):
        if gp.global_id(0) < y.size:
            y[gp.global_id(0)] = 1.0

    y = gp.zeros(4, device="simulator")
    k(y)
    k(y)
    held, is_over = threading.Event(), threading.Event()

    def hold():
        with y.device.lock:
            held.set()
            is_over.wait()

    threading.Thread(target=hold).start()
    held.wait()
    child = os.fork()
    if child == 0:
        signal.alarm(10)  # ends the child if it waits for the lock
        try:
            k(y)
        except gp.ForkedProcessError:
            os._exit(3)
        os._exit(4)
    status = os.waitpid(child, 0)[1]
    is_over.set()
    print(os.waitstatus_to_exitcode(status))
    """
    (tmp_path / "program.py").write_text(textwrap.dedent(code))
    run = subprocess.run([sys.executable, "program.py"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert run.stdout == "3\n"


@pytest.mark.parametrize("first", [False, True])
def test_debug_that_is_set_while_a_call_compiles_counts_from_the_next_one(first):
    """The kernel sets it itself, where another thread may."""

    def switch():
        at_end.debug = not first
        return 2

    @gp.kernel(workgroup_size=4, debug=first)
    def at_end(y: gp.Out[gp.f32]):
        y[gp.global_id(0) + gp.static(switch())] = 1.0

    require_device("cpu")
    y = gp.zeros(4, device="cpu")
    for is_debug in (first, not first, not first):
        if is_debug:
            at_end(y)
            with pytest.raises(gp.OutOfRangeError):
                y.numpy()
        else:
            at_end(y)
            assert y.numpy()[2:].tolist() == [1.0, 1.0]
