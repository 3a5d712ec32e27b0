"""Which kernels get several elements an invocation, and which stay as they are. Texts alone: no device is needed."""

from __future__ import annotations

import re
from typing import Any, TypeVar

import pytest
import staying_kernels
import staying_loops

import gpucore as gp
from gpucore.errors import ArgumentError

T = TypeVar("T", gp.f32, gp.i32, gp.u32, gp.f16, gp.f64, gp.i64, gp.u64, gp.i8, gp.u8, gp.i16, gp.u16, gp.f32x2,
            gp.f16x2, gp.f16x4, gp.i32x2, gp.f32x4)  # fmt: skip


@gp.kernel
def saxpy(a: gp.f32, x: gp.In[gp.f32], y: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = a * x[i] + y[i]


@gp.kernel
def copy(x: gp.In[T], y: gp.Out[T]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = x[i]


def is_coarse(kernel: Any, language: str = "cuda", **bindings: Any) -> bool:
    """Whether an invocation does several elements."""
    return "called_workgroups" in kernel.source(language, **bindings)


def views(text: str) -> set[str]:
    """The types of the accesses to several elements."""
    return set(re.findall(r"\(\((?:__global )?(?:const )?([\w ]+)\*\)\w+\)\[", text))


def elements(text: str) -> int:
    """How many an invocation does."""
    found = re.search(r"min\(launched, (\d+)u\)", text)
    assert found
    return int(found[1])


@pytest.mark.parametrize("language", ["cuda", "opencl", "wgsl"])
def test_all_is_read_before_the_first_is_written(language: str) -> None:
    """Of elements of 16 bytes, and of those that are accessed one by one because neighbours are read, too."""
    for kernel, loads_of, stores_of in ((saxpy, 2, 1), (shifted, 8, 4)):
        text = kernel.source(language)
        fast = text[: text.index("else {")]
        lines = list(enumerate(fast.splitlines()))
        stores = [at for at, line in lines if re.search(r"^ *\(*.*\by\)?\[[^]]*\] = ", line)]
        loads = [at for at, line in lines if re.search(r"= .*[xy]\)?\[.*\];", line) and at not in stores]
        assert (len(loads), len(stores)) == (loads_of, stores_of)
        assert max(loads) < min(stores)


VIEWS = {
    "f32": ("float4", 4), "i32": ("int4", 4), "u32": ("uint4", 4), "f16": ("uint4", 8), "f64": ("uint4", 2),
    "i64": ("uint4", 2), "u64": ("uint4", 2), "i8": ("uint4", 16), "u8": ("uint4", 16), "i16": ("uint4", 8),
    "u16": ("uint4", 8), "f32x2": ("uint4", 2), "f16x2": ("uint4", 4), "f16x4": ("uint4", 2), "i32x2": ("uint4", 2),
}  # fmt: skip
"""Element -> the type of an access, and the elements of an invocation: those of one access."""


@pytest.mark.parametrize("language", ["cuda", "opencl"])
@pytest.mark.parametrize("name", VIEWS)
def test_an_access_has_16_bytes_of_any_elements(name: str, language: str) -> None:
    text = copy.source(language, T=getattr(gp, name))
    view, count = VIEWS[name]
    assert views(text) == {view}
    assert elements(text) == count


def test_vectors_of_16_bytes_stay_whole() -> None:
    text = copy.source("cuda", T=gp.f32x4)
    assert views(text) == set() and "called_workgroups" not in text


@pytest.mark.parametrize(("name", "view"), {"f32": "vec4<f32>", "u32": "vec4<u32>", "f16": "vec4<f16>"}.items())
def test_wgsl_declares_vectors(name: str, view: str) -> None:
    text = copy.source("wgsl", T=getattr(gp, name))
    assert f"x: array<{view}>" in text and f"y: array<{view}>" in text


@pytest.mark.parametrize("name", ["f64", "i64"])
def test_wgsl_has_no_vectors_of_64_bits(name: str) -> None:
    text = copy.source("wgsl", T=getattr(gp, name))
    assert f"y: array<{name}>" in text and elements(text) == 2


def test_mixed_types_have_as_many_elements_as_the_widest() -> None:
    @gp.kernel
    def widened(x: gp.In[gp.u8], y: gp.Out[gp.f32]):
        i = gp.global_id(0)
        if i < y.size:
            y[i] = gp.f32(gp.u32(x[i]))

    assert views(widened.source("cuda")) == {"unsigned int", "float4"}


# ---------------------------------------------------------------- forms that are coarsened


@gp.kernel
def returns(x: gp.In[gp.f32], y: gp.Out[gp.f32], n: gp.i32):
    i = gp.global_id(0)
    if i >= n:
        return
    y[i] = x[i]


@gp.kernel
def bounded(x: gp.In[gp.f32], y: gp.Out[gp.f32], low: gp.i32, high: gp.i32):
    i = gp.global_id(0)
    if i >= low and i < gp.min(high, y.size):
        y[i] = x[i]


@gp.kernel
def unguarded(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    y[gp.global_id(0)] = x[gp.global_id(0)]


@gp.kernel
def chosen(x: gp.In[gp.f32], y: gp.InOut[gp.f32], z: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if i < z.size:
        if x[i] > 0.0:
            y[i] = x[i]
            z[i] = y[i]
        else:
            z[i] = x[0]
            y[i] = z[i]


@gp.kernel
def shifted(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = x[gp.max(i - 1, 0)] + x[i]


@gp.kernel
def looked_up(x: gp.In[gp.i32], table: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = table[x[i]]


WIDE = (saxpy, returns, bounded, unguarded, chosen, looked_up)


@pytest.mark.parametrize("kernel", WIDE, ids=lambda kernel: kernel.name)
def test_forms_of_guards_and_bodies(kernel: Any) -> None:
    text = kernel.source("cuda")
    assert "called_workgroups" in text and "float4" in views(text)
    assert is_coarse(kernel, "opencl") and is_coarse(kernel, "wgsl")


def test_neighbours_are_read_one_by_one() -> None:
    text = shifted.source("cuda")
    assert "called_workgroups" in text and not views(text)


def test_what_is_the_same_for_all_is_computed_once() -> None:
    @gp.kernel
    def scaled(x: gp.In[gp.f32], factors: gp.In[gp.f32], y: gp.Out[gp.f32]):
        i = gp.global_id(0)
        if i < y.size:
            y[i] = x[i] * gp.exp(factors[3])

    text = scaled.source("cuda")
    fast, slow = text.split("else {")
    assert fast.count("factors[3]") == 1 and slow.count("factors[3]") == 1


# ---------------------------------------------------------------- kernels that stay as they are


@pytest.mark.parametrize("name", staying_kernels.STAYING)
def test_kernels_that_stay_as_they_are(name: str) -> None:
    kernel = staying_kernels.STAYING[name]
    for language in ("cuda", "opencl", "wgsl"):
        text = kernel.source(language)
        assert "called_workgroups" not in text and not views(text), language


@pytest.mark.parametrize("language", ["python", "llvm"])
def test_backends_that_do_not_ask_for_it(language: str) -> None:
    assert not is_coarse(saxpy, language)


@pytest.mark.parametrize("language", ["cuda", "opencl", "wgsl"])
def test_not_under_debug(language: str) -> None:
    assert "called_workgroups" not in saxpy.source(language, debug=True)


def test_small_integers_that_are_emulated_stay_as_they_are() -> None:
    assert not is_coarse(copy, "wgsl", T=gp.u8)


def test_the_switch_is_a_bool() -> None:
    with pytest.raises(ArgumentError, match="coarsen is True or False, not 4"):
        gp.kernel(coarsen=4)(lambda: None)  # type: ignore[call-overload]


# ---------------------------------------------------------------- loops


@gp.kernel
def total(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    t = 0.0
    for i in range(gp.global_id(0), x.size, gp.num_workgroups(0) * 256):
        t += x[i]
    y[gp.global_id(0)] = t


@gp.kernel
def total_while(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    t = 0.0
    i = gp.global_id(0)
    while i < x.size:
        t += x[i]
        i += gp.num_workgroups(0) * 256
    y[gp.global_id(0)] = t


@gp.kernel
def row_total(x: gp.In[gp.f32, 2], y: gp.InOut[gp.f32]):
    t = 0.0
    for i in range(gp.local_id(0), x.shape[1], 256):
        t += x[gp.workgroup_id(0), i]
    gp.atomic_add(y, gp.workgroup_id(0), t)


@gp.kernel
def counted(x: gp.In[gp.u32], y: gp.InOut[gp.u32]):
    for i in range(gp.global_id(0), x.size, gp.num_workgroups(0) * 256):
        gp.atomic_add(y, x[i] & 15, 1)


@gp.kernel
def saxpy_in_steps(a: gp.f32, x: gp.In[gp.f32], y: gp.InOut[gp.f32]):
    for i in range(gp.global_id(0), x.size, gp.num_workgroups(0) * 256):
        y[i] = a * x[i] + y[i]


def reads_in_a_row(text: str) -> int:
    """The longest run of reads, with nothing between them but indices."""
    best = run = 0
    for line in text.splitlines():
        if re.search(r"= [xyz](\[.*\])+;", line):
            run += 1
        elif not re.search(r"(int|let) i\w* = ", line):
            run = 0
        best = max(best, run)
    return best


@pytest.mark.parametrize("language", ["cuda", "opencl", "wgsl"])
@pytest.mark.parametrize("kernel", [total, total_while, row_total, counted], ids=lambda kernel: kernel.name)
def test_loops_in_wide_steps_read_eight_at_once(kernel: Any, language: str) -> None:
    assert reads_in_a_row(kernel.source(language)) == 8
    assert reads_in_a_row(kernel.source(language, debug=True)) <= 1


def test_a_loop_reads_what_it_writes_at_other_elements() -> None:
    assert reads_in_a_row(saxpy_in_steps.source("cuda")) == 16


@pytest.mark.parametrize("name", staying_loops.STAYING)
def test_loops_that_stay_as_they_are(name: str) -> None:
    for language in ("cuda", "wgsl"):
        assert reads_in_a_row(staying_loops.STAYING[name].source(language)) <= 1, language


@gp.kernel
def fours_total(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    t = 0.0
    for i in range(gp.global_id(0), x.size // 4, gp.num_workgroups(0) * 256):
        t += gp.dot(gp.vload(x, 4 * i, 4), gp.f32x4(1.0))
    y[gp.global_id(0)] = t


@gp.kernel
def fours(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = gp.dot(gp.vload(x, 4 * i, 4), gp.f32x4(1.0))


@pytest.mark.parametrize("kernel", [fours_total, fours], ids=lambda kernel: kernel.name)
def test_what_vload_reads_stays_one_access(kernel: Any) -> None:
    """Four in the iterations or elements that are made one, and one in the loop that does the rest."""
    text = kernel.source("cuda")
    assert text.count("= gpucore_load_f32x4(") == 5
    assert "= x[" not in text
