"""What is done with the sums of a product before they are stored: alpha, beta, a bias and an epilogue."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

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


@lru_cache(maxsize=256)
def helper_of(finish: Finish) -> Callable[..., Any]:
    """`finished(sum, before, bias, alpha, beta)`, all of the type of sums."""
    scales, has_before, has_bias, epilogue = finish.scales, finish.has_before, finish.has_bias, finish.epilogue or same

    def finished(value, before, added, alpha, beta):
        total = value
        if scales:
            total *= alpha
        if has_before:
            total += beta * before
        if has_bias:
            total += added
        result = epilogue(total)
        assert result.dtype is total.dtype, (
            "an epilogue of gp.matmul gives the type of its element, which is that of the sums: f32 for f16"
        )
        return result

    return finished


def finish_vector(value, before, added, alpha, beta, finished, width):
    """The element, or the vector of four, that is stored."""
    if width == 1:
        return finished(value, before, added, alpha, beta)
    return value.dtype(
        finished(value[0], before[0], added[0], alpha, beta),
        finished(value[1], before[1], added[1], alpha, beta),
        finished(value[2], before[2], added[2], alpha, beta),
        finished(value[3], before[3], added[3], alpha, beta),
    )


__all__ = ["Finish", "finish_vector", "helper_of"]
