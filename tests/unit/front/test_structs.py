"""Corners of structs: fields of any name, depth and default; methods and operators; variables that change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import pytest

import gpucore as gp

Outputs = Callable[..., Any]


@gp.struct
class One:
    x: gp.f32


@gp.struct
class Two:
    one: One
    size: gp.i32

    def total(self):  # type: ignore[no-untyped-def]
        return self.one.x + gp.f32(self.size)

    def twice(self):  # type: ignore[no-untyped-def]
        return Two(One(self.one.x * 2.0), self.size * 2)


@gp.struct
class Three:
    width: gp.u32
    two: Two
    dtype: gp.i32
    itemsize: gp.f32

    def four_times_total(self):  # type: ignore[no-untyped-def]
        return self.two.twice().twice().total()


THREE = Three(4, Two(One(1.0), 2), 3, 0.5)


def floats(n: int = 4) -> np.ndarray[Any, Any]:
    return np.zeros(n, np.float32)


def ints(n: int = 4) -> np.ndarray[Any, Any]:
    return np.zeros(n, np.int32)


@gp.kernel(workgroup_size=1)
def read_three(t: Three, y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    y[i] = t.two.one.x + 10.0 * gp.f32(t.two.size) + 100.0 * gp.f32(t.dtype) + 1000.0 * gp.f32(t.width) + t.itemsize


def test_fields_three_deep_and_named_as_dtypes_are(outputs: Outputs) -> None:
    assert outputs(read_three, THREE, floats(2), n=2) == [4321.5, 4321.5]


@gp.kernel(workgroup_size=1)
def copy_three(x: gp.In[Three], y: gp.InOut[Three]):
    i = gp.global_id(0)
    y[i] = x[i]
    y[i].two.one.x += 1.0
    y[i].two.size -= 1
    y[i].width += 1
    y[i].dtype *= 2


def test_arrays_of_structs_three_deep(outputs: Outputs) -> None:
    rows = np.array([(4, ((1.0,), 2), 3, 0.5), (5, ((2.0,), 3), 4, 1.5)], Three.dtype)
    _, found = outputs(copy_three, (rows, Three), (np.zeros(2, Three.dtype), Three), n=2)
    assert found == [(5, ((2.0,), 1), 6, 0.5), (6, ((3.0,), 2), 8, 1.5)]


def test_a_struct_of_a_width_and_a_height_has_no_default() -> None:
    @gp.struct
    class Image:
        width: gp.i32
        height: gp.i32

    with pytest.raises(TypeError, match="missing 2 required"):
        Image()  # type: ignore[call-arg]
    assert Image.dtype == np.dtype([("width", np.int32), ("height", np.int32)])
    assert (Image(3, 4).width, Image(3, 4).height) == (3, 4)


@gp.struct
class Defaults:
    width: gp.i32 = 4  # type: ignore[assignment]
    dtype: gp.f32 = 1.5  # type: ignore[assignment]
    one: One = One(2.5)  # type: ignore[arg-type]
    pair: gp.f32x2 = (3.0, 4.0)  # type: ignore[assignment]
    is_on: gp.bool = True  # type: ignore[assignment]


@gp.kernel(workgroup_size=1)
def make_defaults(y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    d = Defaults()
    e = Defaults(5, one=One(7.0))
    y[i] = gp.f32(d.width) + d.dtype + d.one.x + d.pair.y
    if d.is_on:
        y[i + 1] = gp.f32(e.width) + e.dtype + e.one.x + e.pair.x


def test_defaults_of_fields(outputs: Outputs) -> None:
    assert Defaults().width == 4
    assert outputs(make_defaults, floats(2), n=1) == [12.0, 16.5]


@gp.struct
class Reserved:
    float: gp.f32
    struct: gp.f32
    var: gp.i32
    kernel: gp.u32
    let: gp.f32x2
    half: gp.i32
    __global: gp.i32


@gp.kernel(workgroup_size=1)
def main(signed: Reserved, fn: gp.In[Reserved], thread: gp.Out[gp.f32], texture: gp.f32, double: gp.i32):
    int = gp.global_id(0)
    vec4 = fn[int]
    uniform = vec4.float + signed.struct + gp.f32(vec4.var) + gp.f32(vec4.kernel) + vec4.let.y + gp.f32(signed.half)
    thread[int] = uniform + texture + gp.f32(double)


def test_words_of_the_targets_as_names(outputs: Outputs) -> None:
    rows = np.array([(1.0, 0.0, 2, 3, (0.0, 4.0), 0, 0)], Reserved.dtype)
    value = Reserved(0.0, 5.0, 0, 0, (0.0, 0.0), 6, 0)
    found = outputs(main, value, (rows, Reserved), floats(1), 7.0, 8, n=1)[1]
    assert found == [36.0]
    for language in ("wgsl", "cuda", "opencl", "llvm", "python"):
        assert main.source(language)


@gp.struct
class Base:
    a: gp.f32

    def twice(self):  # type: ignore[no-untyped-def]
        return self.a * 2.0

    def name(self):  # type: ignore[no-untyped-def]
        return 1


@gp.struct
class Derived(Base):
    b: gp.f32

    def name(self):  # type: ignore[no-untyped-def]
        return 2

    def total(self):  # type: ignore[no-untyped-def]
        return self.twice() + self.b

    @property
    def width(self):  # type: ignore[no-untyped-def]
        return self.b - self.a

    @staticmethod
    def of(value):  # type: ignore[no-untyped-def]
        return Derived(value, value + 1.0)

    @classmethod
    def zero(cls):  # type: ignore[no-untyped-def]
        return cls(0.0, 0.5)


@gp.kernel(workgroup_size=1)
def inherit(base: Base, derived: Derived, y: gp.Out[gp.f32]):
    y[0] = gp.f32(base.name()) + base.twice()
    y[1] = gp.f32(derived.name()) + derived.total()
    y[2] = derived.width
    y[3] = Derived.of(4.0).b + derived.of(1.0).b + Derived.zero().b + derived.zero().b


def test_inheritance_properties_static_and_class_methods(outputs: Outputs) -> None:
    assert outputs(inherit, Base(1.0), Derived(2.0, 5.0), floats(), n=1) == [3.0, 11.0, 3.0, 8.0]


@gp.kernel(workgroup_size=1)
def methods(x: gp.In[Three], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    y[i] = x[i].four_times_total() + x[i].two.total()


def test_methods_that_call_methods_of_elements(outputs: Outputs) -> None:
    rows = np.array([(4, ((1.0,), 2), 3, 0.5)], Three.dtype)
    assert outputs(methods, (rows, Three), floats(1), n=1)[1] == [15.0]


def choose(a, b, i):  # type: ignore[no-untyped-def]
    if i == 1:
        return a, b
    for j in range(i):
        if j == 1:
            return b.twice(), a
    return Two(One(9.0), 9), b


@gp.kernel(workgroup_size=1)
def from_helper(a: Two, b: Two, y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    p, q = choose(a, b, i)
    y[i] = p.one.x * 10.0 + q.one.x


def test_tuples_of_structs_from_early_returns(outputs: Outputs) -> None:
    assert outputs(from_helper, Two(One(1.0), 2), Two(One(3.0), 4), floats()) == [93.0, 13.0, 61.0, 61.0]


@gp.kernel(workgroup_size=1)
def change(a: Two, b: Two, y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    p, q = a, b
    p, q = q, p
    for _ in range(i):
        p, q = q, p
    r = p
    if i == 2:
        r = q
        p = r
    else:
        q = p
    y[i] = p.one.x * 1000.0 + q.one.x * 100.0 + r.one.x * 10.0 + gp.f32(p.size)


def test_struct_variables_do_not_alias(outputs: Outputs) -> None:
    found = outputs(change, Two(One(1.0), 2), Two(One(3.0), 4), floats())
    assert found == [3334.0, 1112.0, 1112.0, 1112.0]


@gp.struct
class Pair:
    a: gp.i32
    b: gp.i32


def step(pair):  # type: ignore[no-untyped-def]
    pair = Pair(pair.b, pair.a + pair.b)
    return pair


@gp.kernel(workgroup_size=1)
def fibonacci(y: gp.Out[gp.i32], start: Pair):
    i = gp.global_id(0)
    pair = start
    n = 0
    while True:
        if n == i:
            break
        pair = step(pair)
        n += 1
    y[i] = pair.a


def test_a_struct_built_from_itself_in_a_loop(outputs: Outputs) -> None:
    assert outputs(fibonacci, ints(8), Pair(0, 1), n=8) == [0, 1, 1, 2, 3, 5, 8, 13]


@gp.kernel(workgroup_size=1)
def change_parameter(pair: Pair, y: gp.Out[gp.i32]):
    if gp.global_id(0) == 0:
        pair = Pair(pair.b, 7)
    y[gp.global_id(0)] = pair.a * 10 + pair.b


def test_a_parameter_that_is_assigned(outputs: Outputs) -> None:
    assert outputs(change_parameter, Pair(1, 2), ints(2), n=2) == [27, 12]


@gp.struct
class Body:
    position: gp.f32x4
    n: gp.i32


@gp.kernel(workgroup_size=1)
def augment(count: gp.InOut[gp.i32], x: gp.InOut[Body]):
    x[gp.atomic_add(count, 0, 1)].position.x += 1.0
    x[gp.atomic_add(count, 0, 1)].n -= 3
    x[gp.atomic_add(count, 0, 1)].position *= 2.0
    x[gp.atomic_add(count, 0, 1)].position.w = 5.0


def test_augmented_fields_evaluate_their_index_once(outputs: Outputs) -> None:
    count, rows = outputs(augment, ints(1), (np.array([((1.0,) * 4, 1)] * 4, Body.dtype), Body), n=1)
    assert count == [4]
    assert [row[0].tolist() for row in rows] == [[2.0, 1.0, 1.0, 1.0], [1.0] * 4, [2.0] * 4, [1.0, 1.0, 1.0, 5.0]]
    assert [row[1] for row in rows] == [1, -2, 1, 1]


@gp.struct
class Ordered:
    key: gp.i32
    tag: gp.i32

    def __lt__(self, other):  # type: ignore[no-untyped-def]
        return self.key < other.key

    def __eq__(self, other):  # type: ignore[no-untyped-def]
        return self.key == other.key

    def __add__(self, other):  # type: ignore[no-untyped-def]
        return Ordered(self.key + other.key, self.tag)

    def __rmul__(self, factor):  # type: ignore[no-untyped-def]
        return Ordered(factor * self.key, self.tag)

    def __neg__(self):  # type: ignore[no-untyped-def]
        return Ordered(-self.key, self.tag)


@gp.kernel(workgroup_size=1)
def compare(a: Ordered, b: Ordered, y: gp.Out[gp.i32]):
    y[0] = 1 if a < b else 0
    y[1] = 1 if a > b else 0
    y[2] = 1 if a == b else 0
    y[3] = 1 if a != b else 0
    if a < b < a + b and a == Ordered(1, 99):
        y[4] = (3 * (a + b)).key
    y[5] = (-a).key


def test_comparisons_and_operators_of_their_own(outputs: Outputs) -> None:
    assert outputs(compare, Ordered(1, 0), Ordered(2, 0), ints(6), n=1) == [1, 0, 0, 1, 9, -1]
    assert outputs(compare, Ordered(2, 0), Ordered(2, 1), ints(6), n=1) == [0, 0, 1, 0, 0, -2]


@gp.kernel(workgroup_size=1)
def equal(a: Body, b: Body, y: gp.Out[gp.i32]):
    y[0] = 1 if a == b else 0
    y[1] = 1 if a != b else 0


def test_structs_are_equal_where_all_their_numbers_are(outputs: Outputs) -> None:
    body = Body((1.0, 2.0, 3.0, 4.0), 5)
    assert outputs(equal, body, Body((1.0, 2.0, 3.0, 4.0), 5), ints(2), n=1) == [1, 0]
    assert outputs(equal, body, Body((1.0, 2.0, 3.0, 0.0), 5), ints(2), n=1) == [0, 1]
    assert outputs(equal, body, Body((1.0, 2.0, 3.0, 4.0), 6), ints(2), n=1) == [0, 1]


@gp.struct
class Settings:
    n: gp.i32
    scale: gp.f32

    def scaled(self):  # type: ignore[no-untyped-def]
        return gp.f32(self.n) * self.scale


SETTINGS = Settings(3, 0.5)


def scaled_by(settings):  # type: ignore[no-untyped-def]
    return settings.scaled()


@gp.kernel(workgroup_size=1)
def with_constants(y: gp.InOut[gp.f32], settings: gp.Const[Settings]):
    for i in gp.unroll(range(settings.n)):
        y[i] += settings.scale
    if settings.n > 2:
        y[3] = scaled_by(settings) + SETTINGS.scaled()
    chosen = settings
    if gp.global_id(0) == 1:
        chosen = SETTINGS
    y[4] = chosen.scale + (1.0 if settings == SETTINGS else 0.0)


def test_structs_as_compile_time_values(outputs: Outputs) -> None:
    assert outputs(with_constants, floats(5), settings=Settings(2, 4.0), n=1) == [4.0, 4.0, 0.0, 0.0, 4.0]
    assert outputs(with_constants, floats(5), settings=Settings(3, 0.5), n=1) == [0.5, 0.5, 0.5, 3.0, 1.5]


def test_a_captured_struct_that_is_exchanged() -> None:
    captured = One(1.0)

    @gp.kernel(workgroup_size=1)
    def store(y: gp.Out[gp.f32]):
        y[0] = captured.x

    y = gp.zeros(1, gp.f32, device="simulator")
    store(y, invocations=1)
    captured = One(2.0)
    store(y, invocations=1)
    assert y.numpy().tolist() == [2.0]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (Three(4, Two(1.0, 2), 3, 0.5), "'t.two.one' must be a One, not float"),  # type: ignore[arg-type]
        (Three(4, Two(One("a"), 2), 3, 0.5), "'t.two.one.x' must be a number (f32), not 'a'"),  # type: ignore[arg-type]
        (Three(-4, Two(One(1.0), 2), 3, 0.5), "'t.width' is -4, and u32 holds 0 to 4294967295"),
        (Three(4, Two(One(1.0), 2.5), 3, 0.5), "'t.two.size' must be a whole number (i32), not 2.5"),  # type: ignore[arg-type]
        (Three(4, One(1.0), 3, 0.5), "'t.two' must be a Two, not One"),  # type: ignore[arg-type]
        (One(1.0), "'t' must be a Three, not One"),
        (Three, "'t' must be a Three, not the class itself"),
    ],
)
def test_fields_are_checked_at_every_call(value: object, message: str) -> None:
    for calls_before in (0, 2):
        y = gp.zeros(1, gp.f32, device="simulator")
        for _ in range(calls_before):
            read_three(THREE, y, invocations=1)
        with pytest.raises(gp.ArgumentError) as caught:
            read_three(value, y, invocations=1)
        assert str(caught.value) == f"read_three: the argument {message}"


Any_ = TypeVar("Any_")


@gp.kernel(workgroup_size=1)
def copy_any(x: gp.In[Any_], y: gp.Out[Any_]):
    y[0] = x[0]


def test_a_type_variable_stands_for_no_struct() -> None:
    x, y = (gp.zeros(1, One, device="simulator") for _ in range(2))
    with pytest.raises(gp.ArgumentError) as caught:
        copy_any(x, y, invocations=1)
    assert str(caught.value) == (
        "copy_any: the argument 'x' holds One, and Any_ stands for scalars and vectors; "
        "annotate the parameter gp.In[One]"
    )


def test_other_values_in_later_calls() -> None:
    y = gp.zeros(1, gp.f32, device="simulator")
    for scale in (1, 2, 3):
        read_three(Three(0, Two(One(float(scale)), scale), 0, 0.0), y, invocations=1)
        assert y.numpy().tolist() == [11.0 * scale]
