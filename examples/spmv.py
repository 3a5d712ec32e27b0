"""Sparse matrix (compressed sparse rows, CSR) times vector, in f32 or f64."""

import argparse
from typing import TypeVar

import numpy as np

import gpucore as gp

T = TypeVar("T", gp.f32, gp.f64)


@gp.kernel(workgroup_size=128)
def multiply(starts: gp.In[gp.i32], columns: gp.In[gp.i32], values: gp.In[T], x: gp.In[T], y: gp.Out[T]):
    row = gp.global_id(0)
    if row < y.size:
        total = values.dtype(0)
        for k in range(starts[row], starts[row + 1]):
            total += values[k] * x[columns[k]]
        y[row] = total


def spmv(starts, columns, values, x, device=None):
    """The product. Row r has the elements values[starts[r]:starts[r + 1]], in the columns at the same indices."""
    values = gp.asarray(values, device=device)
    starts, columns = (gp.asarray(part, gp.i32, device=values.device) for part in (starts, columns))
    y = gp.empty(starts.size - 1, values.dtype, device=values.device)
    multiply(starts, columns, values, gp.asarray(x, values.dtype, device=values.device), y, invocations=y.size)
    return y.numpy()


def compress(matrix):
    """The rows of a dense matrix as starts, columns and values."""
    rows, columns = np.nonzero(matrix)
    starts = np.concatenate([[0], np.cumsum(np.count_nonzero(matrix, axis=1))])
    return starts, columns, matrix[rows, columns]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    gp.add_device_argument(parser)
    device = gp.device(parser.parse_args().device)
    random = np.random.default_rng(1)
    matrix = random.normal(size=(500, 400)).astype(np.float32)
    matrix[random.random(matrix.shape) < 0.95] = 0
    x = random.normal(size=400).astype(np.float32)
    starts, columns, values = compress(matrix)
    off = np.abs(spmv(starts, columns, values, x, device) - matrix @ x).max()
    print(f"{device.name}: {np.count_nonzero(matrix)} of {matrix.size} elements; maximum error {off:.1e}")
