"""What is done with the sums of a product before they are stored: alpha, beta, a bias and an epilogue."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gpucore.lang as gp
from gpucore.immutable import Immutable


class Finish(Immutable):
    """epilogue(alpha * sum + beta * before + bias), without what is not there."""

    scales: bool = False  # by alpha
    has_before: bool = False  # what the product is stored in, times beta
    has_bias: bool = False  # a number for each column
    epilogue: Callable[[Any], Any] | None = None


def same(value):
    """The value."""
    return value


def finished(value, before, added, alpha, beta, finish):
    """What is stored of a sum. All numbers are of the type of sums."""
    epilogue = gp.static(finish.epilogue or same)
    total = value
    if finish.scales:
        total *= alpha
    if finish.has_before:
        total += beta * before
    if finish.has_bias:
        total += added
    result = epilogue(total)
    assert result is not None, (
        "the epilogue returns nothing; it must return a number of the type of its element, which is that of the sums: "
        "f32 for f16 and bf16"
    )
    assert result.dtype is total.dtype, (
        "an epilogue of gp.matmul gives the type of its element, which is that of the sums: f32 for f16 and bf16"
    )
    return result


def finish_vector(value, before, added, alpha, beta, finish, width):
    """The element, or the vector of four, that is stored."""
    if width == 1:
        return finished(value, before, added, alpha, beta, finish)
    return value.dtype(
        finished(value[0], before[0], added[0], alpha, beta, finish),
        finished(value[1], before[1], added[1], alpha, beta, finish),
        finished(value[2], before[2], added[2], alpha, beta, finish),
        finished(value[3], before[3], added[3], alpha, beta, finish),
    )


__all__ = ["Finish", "finish_vector", "finished"]
