"""Products that are rounded before they are added to something."""

from __future__ import annotations

import gpucore.lang as gp
from gpucore.types import f32, f64, u32, u32x2


def rounded(x, zero):
    """An f32 or f64 as it is: rounded, whatever is computed from it.

    `zero` is 0, which a compiler cannot know: it keeps a product from being joined with the sum that follows to one
    operation with one rounding, which some devices have.
    """
    if x.dtype is f32:
        return gp.bitcast(f32, gp.bitcast(u32, x) | zero)
    return gp.bitcast(f64, gp.bitcast(u32x2, x) | zero)
