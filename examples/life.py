"""Conway's Game of Life on a torus: opposite edges are neighbours."""

import argparse

import numpy as np

import gpucore as gp


@gp.kernel(workgroup_size=(16, 16))
def generation(before: gp.In[gp.i32, 2], after: gp.Out[gp.i32, 2]):
    column, row = gp.global_id(0), gp.global_id(1)
    rows, columns = before.shape
    if row < rows and column < columns:
        neighbours = 0
        for i in gp.unroll((-1, 0, 1)):
            for j in gp.unroll((-1, 0, 1)):
                if (i, j) != (0, 0):
                    neighbours += before[(row + i) % rows, (column + j) % columns]  # % is Python's: never negative
        match neighbours:
            case 3:
                after[row, column] = 1
            case 2:
                after[row, column] = before[row, column]
            case _:
                after[row, column] = 0


def life(cells, generations, device=None):
    """The cells (0 or 1, i32) after some generations."""
    now = gp.asarray(cells, gp.i32, device=device)
    then = gp.empty(now.shape, gp.i32, device=now.device)
    rows, columns = now.shape
    for _ in range(generations):
        generation(now, then, invocations=(columns, rows))
        now, then = then, now
    return now.numpy()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    gp.add_device_argument(parser)
    device = gp.device(parser.parse_args().device)
    glider = np.zeros((12, 24), np.int32)
    glider[[0, 1, 2, 2, 2], [1, 2, 0, 1, 2]] = 1
    print(device.name)
    for row in life(glider, 20, device):
        print("".join("#" if cell else "." for cell in row))
