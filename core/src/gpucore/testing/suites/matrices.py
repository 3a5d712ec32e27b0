"""Products of matrices in kernels: by the units of the device where it has them, else by registers."""

from __future__ import annotations

from typing import Any

import numpy as np

import gpucore as gp
from gpucore.testing.checks import check_bits, poisoned, skip_without, upload
from gpucore.testing.kernels import matrices as kernels

_SHAPE = (37, 45, 53)
_MOST = 8  # of integers whose products are exact


def _multiply(gpu: gp.Device, dtype: Any) -> None:
    """A product of whole numbers, which every order of the sums gives."""
    random, (m, n, k) = np.random.default_rng(1), _SHAPE
    a = random.integers(-_MOST, _MOST, (m, k)).astype(dtype)
    b = random.integers(-_MOST, _MOST, (k, n)).astype(dtype)
    c = poisoned(gpu, (m, n), np.float32)
    kernels.product(upload(gpu, a), upload(gpu, b), c, workgroups=(-(-n // kernels.COLUMNS), -(-m // kernels.ROWS)))
    check_bits(c.numpy(), np.maximum(a.astype(np.float32) @ b.astype(np.float32), 0) + 0, "the product")


class MatrixTests:
    """Tiles, copies to them, and matrices that a workgroup holds."""

    def test_product_by_tiles(self, gpu: gp.Device) -> None:
        """C860 [Kernel language: matrices]: A product of f32 by tiles that are copied ahead, with edges, and a helper
        for each element."""
        _multiply(gpu, np.float32)

    def test_product_of_halves(self, gpu: gp.Device) -> None:
        """C861 [Kernel language: matrices]: The same of f16, with sums in f32, by units if the device has them."""
        skip_without(gpu, gp.Capability.F16)
        _multiply(gpu, np.float16)

    def test_matrices_of_a_workgroup(self, gpu: gp.Device) -> None:
        """C862 [Kernel language: matrices]: Matrices in loops, loaded and stored with edges; transposed tiles; rows and
        columns of elements."""
        x = np.random.default_rng(2).integers(-_MOST, _MOST, (11, 13)).astype(np.float32)
        y = poisoned(gpu, (15, 12), np.float32)
        kernels.rotated(upload(gpu, x), y, 3, workgroups=1)
        whole = np.zeros((16, 16), np.float32)
        whole[:11, :13] = x
        rows, columns = np.mgrid[:16, :16].astype(np.float32)
        wanted = whole.T @ (3 * whole + np.float32(0.5)) - rows + 2 * columns
        check_bits(y.numpy(), np.ascontiguousarray(wanted[:15, :12]), "the matrix")
