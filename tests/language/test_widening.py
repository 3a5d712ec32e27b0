"""Integers of 8 and 16 bits widen to 32 bits where that is what is wanted, and are never converted otherwise."""

from __future__ import annotations

import numpy as np
import pytest
from test_small_integers import drawn

import gpucore as gp


@gp.struct
class Wide:
    u: gp.u32
    i: gp.i32


@gp.func
def tripled(word: gp.u32) -> gp.u32:
    return word * 3


@gp.func
def as_word(byte: gp.u8) -> gp.u32:
    return byte


def lower(c, limit):
    """One result is a u8, the other a u32."""
    if c > limit:
        return c
    return c | 0x20


@gp.kernel(workgroup_size=32)
def widened(
    b: gp.In[gp.u8], h: gp.In[gp.u16], s: gp.In[gp.i16], u: gp.Out[gp.u32, 2], v: gp.Out[gp.u32x4], w: gp.Out[gp.i32],
    wide: gp.Out[Wide], total: gp.InOut[gp.u32],
):  # fmt: skip
    i = gp.global_id(0)
    if i < b.size:
        c = b[i]
        u[0, i] = c
        u[1, i] = c | 0x20 if c < 100 else c
        u[2, i] = gp.select(c < 100, h[i], c)
        u[3, i] = tripled(c) + as_word(c)
        u[4, i] = lower(c, 100)
        word = gp.u32(i)
        if c < 100:
            word = c
        u[5, i] = gp.max(word, c)
        noted: gp.u32 = h[i]
        u[6, i] = noted
        v[i] = gp.u32x4(c, h[i], gp.u32x2(c))
        w[i] = s[i]
        wide[i] = Wide(c, s[i])
        gp.atomic_add(total, 0, c)
        v[i + b.size] = h[i]


def test_widened_where_32_bits_are_wanted(device: gp.Device) -> None:
    b, h, s = drawn(np.uint8, 41), drawn(np.uint16, 41), drawn(np.int16, 41)
    u, w = gp.zeros((7, 41), gp.u32, device=device), gp.zeros(41, gp.i32, device=device)
    v, wide = gp.zeros(82, gp.u32x4, device=device), gp.zeros(41, Wide, device=device)
    total = gp.zeros(1, gp.u32, device=device)
    widened(*(gp.asarray(x, device=device) for x in (b, h, s)), u, v, w, wide, total, invocations=41)
    c, i = b.astype(np.uint32), np.arange(41)
    folded = np.where(c < 100, c | 32, c)
    expected = [c, folded, np.where(c < 100, h, c), c * 4, np.where(c > 100, c, c | 32)]
    expected += [np.maximum(np.where(c < 100, c, i), c), h]
    np.testing.assert_array_equal(u.numpy(), np.stack(expected))
    first, second = np.stack([b, h, b, b], 1), np.stack([h] * 4, 1)
    np.testing.assert_array_equal(v.numpy(), np.concatenate([first, second]))
    np.testing.assert_array_equal(w.numpy(), s)
    np.testing.assert_array_equal(wide.numpy()["u"], b)
    np.testing.assert_array_equal(wide.numpy()["i"], s)
    assert total.numpy()[0] == c.sum()


@pytest.mark.parametrize(
    ("source", "target", "text"),
    [
        ("u32", "u8", "y holds u8, and u32 is stored"),
        ("u8", "i32", "y holds i32, and u8 is stored"),
        ("i8", "u32", "y holds u32, and i8 is stored"),
        ("u8", "u16", "y holds u16, and u8 is stored"),
        ("u8", "f32", "y holds f32, and u8 is stored"),
        ("u8", "u64", "y holds u64, and u8 is stored"),
    ],
)
def test_what_would_change_a_number_is_refused(source: str, target: str, text: str) -> None:
    body = f"def k(x: gp.In[gp.{source}], y: gp.Out[gp.{target}]): y[0] = x[0]"
    with pytest.raises(gp.KernelTypeError) as caught:
        gp.kernel_from_text(body).ir()
    assert (caught.value.code, caught.value.message) == ("GP201", text)
    assert caught.value.fix == f"convert, as in gp.{target}(x[0])"


def test_a_choice_of_two_signs_is_refused() -> None:
    body = "def k(x: gp.In[gp.u8], z: gp.In[gp.i8], y: gp.Out[gp.i32]): y[0] = x[0] if y.size > 1 else z[0]"
    with pytest.raises(gp.KernelTypeError) as caught:
        gp.kernel_from_text(body).ir()
    assert caught.value.message == "the conditional expression mixes u8 and i8"
