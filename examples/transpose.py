"""Transpose of a matrix through tiles in workgroup memory: reads and writes are both along rows."""

import argparse

import numpy as np

import gpucore as gp

TILE = 16


@gp.kernel(workgroup_size=(TILE, TILE))
def transpose_tiles(source: gp.In[gp.f32, 2], target: gp.Out[gp.f32, 2]):
    tile = gp.workgroup_array(gp.f32, (TILE, TILE + 1))  # padded by a column against bank conflicts
    x, y = gp.local_id(0), gp.local_id(1)

    row, column = gp.global_id(1), gp.global_id(0)
    if row < source.shape[0] and column < source.shape[1]:
        tile[y, x] = source[row, column]
    gp.barrier()

    row, column = gp.workgroup_id(0) * TILE + y, gp.workgroup_id(1) * TILE + x
    if row < target.shape[0] and column < target.shape[1]:
        target[row, column] = tile[x, y]


def transpose(matrix, device=None):
    """The transpose of a matrix of f32: NumPy in, NumPy out."""
    source = gp.asarray(matrix, gp.f32, device=device)
    rows, columns = source.shape
    target = gp.empty((columns, rows), device=source.device)
    transpose_tiles(source, target, invocations=(columns, rows))
    return target.numpy()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    gp.add_device_argument(parser)
    device = gp.device(parser.parse_args().device)
    matrix = np.arange(1000 * 700, dtype=np.float32).reshape(1000, 700)
    print(f"{device.name}: {'right' if np.array_equal(transpose(matrix, device), matrix.T) else 'WRONG'}")
