"""Operations on whole arrays: copies of regions, conversions, operators. Each runs one kernel, compiled once.

Importing this gives the methods of arrays the kernels that they run.
"""

from __future__ import annotations

from gpucore.elementwise.conversions import convert
from gpucore.elementwise.operators import apply, elementwise, operate, where
from gpucore.elementwise.regions import assign, copied
from gpucore.operators import ArrayKernels, register_kernels

__all__ = ["elementwise", "where"]

register_kernels(ArrayKernels(assign, copied, convert, operate, apply))
