"""Assignments, operators, helpers, structs and captured values mean what they mean in Python."""

from __future__ import annotations

import enum
import math

import numpy as np
import pytest
import settings

import gpucore as gp

X = np.array([3, -1, 4, 1, -5, 9, 2, 6], np.int32)
F = np.linspace(-2, 2, 8).astype(np.float32)
INTS, FLOATS = np.zeros(8, np.int32), np.zeros(8, np.float32)
LIMIT = 4
PAIR = (2, (3, 5))
NUMPY_FLOAT = np.float32(0.1)


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 5


class Mode(enum.Enum):
    ADD = "add"
    SUB = "sub"


@gp.struct
class Params:
    alpha: gp.f32
    n: gp.i32 = 2

    def scaled(self, x: gp.f32):
        return self.alpha * x + gp.f32(self.n)


# ---------------------------------------------------------------- integers


@gp.kernel(workgroup_size=4)
def augmented_places(x: gp.In[gp.i32], y: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    grid = gp.private_array(gp.i32, (2, 3))
    grid[1, i % 3] += x[i]
    grid[i % 2, 2] -= 4
    grid[1, 2] *= x[i]
    y[i] += grid[1, 2]
    y[i] <<= 2
    y[i] |= grid[0, 2] & 7
    y[i] //= 3


@gp.kernel(workgroup_size=4)
def index_evaluated_once(counter: gp.InOut[gp.i32], y: gp.InOut[gp.i32]):
    y[gp.atomic_add(counter, 0, 1)] += gp.global_id(0)


@gp.kernel(workgroup_size=4)
def element_swaps(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    a = gp.private_array(gp.i32, 4)
    for k in gp.unroll(range(4)):
        a[k] = x[(i + k) % 8]
    a[0], a[1] = a[1], a[0]
    j = 2
    j, a[j] = 3, a[0]
    a[j], j = j, a[j]
    y[i] = ((a[0] * 11 + a[1]) * 11 + a[2]) * 11 + a[3] + j


@gp.kernel(workgroup_size=4)
def tuples_hold_what_was_there(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    a, b = x[i], i
    kept = (a, (b, a + b))
    a = 100
    b += 7
    first, (second, third) = kept
    total = 0
    for v in gp.unroll((a, b, first)):
        a = a + v
        total = total * 3 + v
    y[i] = total + a + second * 10 + third + kept[1][0] + len(kept)


@gp.kernel(workgroup_size=4)
def nested_targets(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    (a, b), c = (x[i], i), 5
    (a, b), c = (b, c), a
    d = e = a + b
    d += 1
    y[i] = ((a * 7 + b) * 7 + c) * 7 + d - e


@gp.kernel(workgroup_size=4)
def compile_time_values(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    big = (1 << 100) // (1 << 98) + settings.N
    local_limit = LIMIT * 2 if LIMIT > 3 else -1
    total = big + local_limit + PAIR[1][0] + Level.HIGH + Level.LOW * 2
    for _mode in gp.unroll(Mode):
        if _mode is Mode.ADD:
            total += x[i]
        else:
            total -= 3
    if settings.N in (1, 2, 3) and Mode.ADD != Mode.SUB and LIMIT is not None:
        total += 1000
    y[i] = total + gp.static(sum(k for k in range(LIMIT))) + (-7 // 2) + (-7 % 4) + abs(-3) + min(4, 2, 9)


@gp.kernel(workgroup_size=4)
def bools(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    flag = True
    other = x[i] > 2
    same = (x[i] > 2) == other
    if x[i] == 9:
        flag = False
    flag = flag & (other | (i < 2))
    y[i] = gp.i32(flag) + gp.i32(True) * 2 + gp.i32(not other) * 4 + gp.i32(same) * 8 + gp.i32(flag ^ other) * 16


@gp.kernel(workgroup_size=4)
def unsigned(x: gp.In[gp.u32], y: gp.Out[gp.u32]):
    i = gp.global_id(0)
    value = x[i] - 1
    value = -value ^ 0xFFFFFFFF
    value += ~x[i] >> 28
    y[i] = value * 3 + (x[i] << 31) + (7 << (x[i] & 3))


@gp.kernel(workgroup_size=4)
def two_names_for_one_array(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    a = gp.private_array(gp.i32, 2)
    b = a
    source = x
    b[0] = source[i]
    a[1] = b[0] * 2
    source = y
    source[i] = a[0] + b[1]


def clamp_to(value, low=0, high=LIMIT):
    """A helper that assigns its parameter."""
    if value < low:
        value = low
    elif value > high:
        value = high
    return value


def power(base, exponent):
    result = 1
    while exponent > 0:
        if exponent % 2 == 1:
            result *= base
        base *= base
        exponent //= 2
    return result


def minmax(a, b):
    if a < b:
        return a, (b, a + b)
    return b, (a, a * b)


def zero_or(value):
    if value < 0:
        return 0
    return value


def nothing(y, i):
    if i > 2:
        return
    y[i] += 5


def choose(array, index, bias=None):
    if bias is None:
        return array[index]
    return array[index] + bias[index]


@gp.kernel(workgroup_size=4)
def helpers(x: gp.In[gp.i32], y: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    low, (high, both) = minmax(x[i], x[7 - i])
    y[i] = clamp_to(x[i]) + clamp_to(i, high=2) * 10 + clamp_to(low=-3, value=x[i], high=8) * 100
    y[i] += power(i, 3) + power(2, i) + power(3, 4)
    nothing(y, i)
    y[i] += low + high * 3 + both + zero_or(x[i]) + choose(x, i) + choose(x, i, x)


@gp.kernel(workgroup_size=4)
def typed_by_the_other_return(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    y[i] = zero_or(x[i]) + zero_or(-x[i]) * 4.0


def fill(array, value):
    for k in gp.unroll(range(len(array))):
        array[k] = value + k
    return array


def make(count, value):
    return fill(gp.private_array(gp.i32, count), value)


def tile_of(value):
    """Each call has a workgroup array of its own."""
    tile = gp.workgroup_array(gp.i32, 2)
    tile[0] = value
    tile[1] = -value
    return tile


@gp.kernel(workgroup_size=1)
def arrays_from_helpers(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    a, b = make(2, x[i]), make(3, i)
    s, t = tile_of(x[i]), tile_of(i)
    gp.barrier()
    y[i] = a[0] * 3 + a[1] - b[2] + s[0] * 100 + t[1] * 7


def make_scaled(scale, helper):
    """A factory: the kernel takes `scale` and `helper` from the closure."""

    @gp.kernel(workgroup_size=4)
    def scaled(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
        i = gp.global_id(0)
        y[i] = helper(x[i] * scale)

    return scaled


class Holder:
    """Kernels and helpers may stand in a class body."""

    FACTOR = 3

    @staticmethod
    def triple(value):
        return value * Holder.FACTOR

    @gp.kernel(workgroup_size=4)
    def inside(x: gp.In[gp.i32], y: gp.Out[gp.i32]):  # noqa: N805 (a kernel in a class, no method)
        i = gp.global_id(0)
        y[i] = Holder.triple(x[i]) + \
            1  # fmt: skip


# fmt: off
# ruff: noqa: W191, E701, E702 (this layout is the test)
@gp.kernel(
    workgroup_size=4,
)
def layout(x: gp.In[gp.i32],
           y: gp.Out[gp.i32]):
	"""Tabs, and text
at the left margin."""
	i = gp.global_id(0)  # type: int
	größe = (
		x[i]
	+ 1)
# a comment at the left margin
	if größe > 2: größe -= 1; y[i] = größe
	else:
		y[i] = -größe
# fmt: on


KERNELS = [
    augmented_places, element_swaps, tuples_hold_what_was_there, nested_targets, compile_time_values, bools,
    two_names_for_one_array, helpers, arrays_from_helpers, Holder.inside, layout, make_scaled(3, clamp_to),
    make_scaled(-2, zero_or),
]  # fmt: skip


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k.name)
def test_integers(agree, kernel):
    agree(kernel, X, INTS)


def test_index_is_evaluated_once(agree):
    agree(index_evaluated_once, np.zeros(1, np.int32), INTS)


def test_unsigned(agree):
    agree(unsigned, X.view(np.uint32), INTS.view(np.uint32))


@gp.kernel(workgroup_size=1)
def dots_of_literals(x: gp.In[gp.u32], y: gp.Out[gp.i32], z: gp.Out[gp.u32]):
    y[0] = gp.dot4_i8_packed(0xFFFFFFFF, 0x01020304)
    y[1] = gp.dot4_i8_packed(0x80000000, x[0])
    z[0] = gp.dot4_u8_packed(4294967295, 2)
    z[1] = gp.dot4_u8_packed(1, x[0])


def test_literals_are_u32_where_a_function_takes_u32_only():
    x = gp.asarray(np.array([0x02000005], np.uint32), device="simulator")
    y, z = gp.zeros(2, gp.i32, device="simulator"), gp.zeros(2, gp.u32, device="simulator")
    dots_of_literals(x, y, z, workgroups=1)
    assert y.numpy().tolist() == [-10, -256] and z.numpy().tolist() == [510, 5]


def test_arrays_of_two_helper_calls_are_apart():
    text = arrays_from_helpers.ir()
    assert text.count("workgroup") >= 2
    assert len(arrays_from_helpers.module().workgroup_arrays) == 2


# ---------------------------------------------------------------- floats and vectors


@gp.kernel(workgroup_size=4)
def conversions(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    value: gp.f32 = 0
    value += x[i] * 2 - 1
    value = value * NUMPY_FLOAT + gp.f32(gp.i32(x[i] * 1.5)) + settings.SCALE
    y[i] = value if value > 0 else -value + gp.f32(math.pi) * 0.5


@gp.kernel(workgroup_size=4)
def vectors(x: gp.In[gp.f32x4], y: gp.InOut[gp.f32x4]):
    i = gp.global_id(0)
    v = x[i] * 1.0
    w = gp.f32x4(1, v.x, gp.f32x2(v.z, 2.0))
    v.x, v.y = v.y, v.x
    v.z += 3
    y[i].w = v.x
    y[i].w += v.z * w.y
    grid = gp.private_array(gp.f32x4, 2)
    grid[1].y = v.w
    grid[1].y *= 2.0
    for k in gp.unroll(range(2)):
        y[i].x += grid[k].y + w[k]
    y[i] += v * 2.0
    y[i] += gp.f32x4(w.zy, w.xx)


def set_first(v, value):
    """A helper that changes a component of its parameter; the caller's vector stays."""
    v.x = value
    return v


@gp.kernel(workgroup_size=4)
def vector_parameters(x: gp.In[gp.f32x4], y: gp.InOut[gp.f32x4]):
    i = gp.global_id(0)
    v = x[i] * 1.0
    y[i] = set_first(v + 0.0, 7.0) + v


@gp.kernel(workgroup_size=4)
def structs(p: Params, x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    q = Params(x[i], n=i)
    r = Params(alpha=p.alpha)
    y[i] = p.alpha * x[i] + gp.f32(p.n) + q.scaled(2.0) + r.scaled(p.alpha) + gp.f32(q.n)


def test_floats(agree):
    agree(conversions, F, FLOATS)
    agree(typed_by_the_other_return, F, FLOATS)


def test_vectors(agree):
    agree(vectors, np.arange(32, dtype=np.float32), np.ones(32, np.float32))
    agree(vector_parameters, np.arange(32, dtype=np.float32), np.ones(32, np.float32))


def test_structs():
    for device in ("simulator", "cpu"):
        y = gp.empty(8, gp.f32, device=device)
        structs(Params(0.5, 3), gp.asarray(F, device=device), y, invocations=8)
        i = np.arange(8, dtype=np.float32)
        wanted = np.float32(0.5) * F + 3 + (F * 2 + i) + (np.float32(0.5) * np.float32(0.5) + 2) + i
        np.testing.assert_allclose(y.numpy(), wanted, rtol=1e-6)


# ---------------------------------------------------------------- what is captured


def test_a_changed_global_or_module_constant_is_noticed(monkeypatch):
    y = gp.empty(8, gp.i32, device="simulator")
    x = gp.asarray(X, device="simulator")
    compile_time_values(x, y, invocations=8)
    before = y.numpy()
    monkeypatch.setattr(settings, "N", 40)
    compile_time_values(x, y, invocations=8)
    after = y.numpy()
    assert (after - before == 37 - 1000).all()
    monkeypatch.setitem(globals(), "LIMIT", 5)
    compile_time_values(x, y, invocations=8)
    assert (y.numpy() - after == 2 + 4).all()


def test_a_changed_class_attribute_and_static_value_are_noticed(monkeypatch):
    y = gp.empty(8, gp.i32, device="simulator")
    x = gp.asarray(X, device="simulator")
    Holder.inside(x, y, invocations=8)
    assert (y.numpy() == X * 3 + 1).all()
    monkeypatch.setattr(Holder, "FACTOR", -1)
    Holder.inside(x, y, invocations=8)
    assert (y.numpy() == 1 - X).all()


@gp.kernel(workgroup_size=4)
def weak_or_not(value: gp.Const[float], y: gp.Out[gp.f32]):
    y[gp.global_id(0)] = gp.f32(1.0) / gp.f32(value)


def test_constants_that_python_calls_equal_are_told_apart():
    y = gp.empty(4, gp.f32, device="simulator")
    weak_or_not(0.0, y, invocations=4)
    assert (y.numpy() == np.inf).all()
    weak_or_not(-0.0, y, invocations=4)
    assert (y.numpy() == -np.inf).all()
