"""Scalars of 8 and 16 bits, by value: each has four bytes of the packed scalars."""

from __future__ import annotations

import numpy as np
import pytest

import gpucore as gp
from gpucore.errors import ArgumentError

NAMES = [info.id for info in gp.devices()]


@gp.kernel(workgroup_size=1)
def spread(y: gp.Out[gp.i32], a: gp.u8, b: gp.i8, c: gp.u16, d: gp.i16, e: gp.i32):
    y[0] = gp.i32(a)
    y[1] = gp.i32(b)
    y[2] = gp.i32(c)
    y[3] = gp.i32(d)
    y[4] = e


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("values", [(255, -128, 65535, -32768, -7), (0, 127, 1, 2, 3)])
def test_small_scalars_arrive(name: str, values: tuple[int, ...]) -> None:
    y = gp.zeros(5, gp.i32, device=name)
    for _ in range(2):  # the second call goes the short way
        spread(y, *values, invocations=1)
    np.testing.assert_array_equal(y.numpy(), values)
    with pytest.raises(ArgumentError, match="u8 holds 0 to 255"):
        spread(y, 256, *values[1:], invocations=1)
