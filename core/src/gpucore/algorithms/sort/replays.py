"""The launches of a sort, recorded at their second use and replayed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from gpucore.algorithms.shapes import shapes_of
from gpucore.array import Array
from gpucore.sequences import repeat


def replayed(
    name: str, queue: Callable[..., None], x: Array, target: Array, descending: bool, values: Array | None,
    moved: Array | None, index: bool,
) -> None:  # fmt: skip
    """Call `queue(x, target, values, moved, descending=..., index=...)`, or replay its launches."""
    arrays = {"x": x, "target": target}
    if values is not None:
        if values.overlaps(x):  # a graph takes each array for one name
            values = values.copy()
        arrays["values"] = values
    if moved is not None:
        arrays["moved"] = moved
    place = name, x.size, x.dtype, descending, index, tuple(arrays), shapes_of(x.device).sort
    repeat(x.device, place, arrays, partial(queue, descending=descending, index=index))
