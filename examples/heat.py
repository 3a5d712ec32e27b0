"""Heat conduction in a plate: a five-point stencil, with tiles and their halo in workgroup memory."""

import argparse

import numpy as np

import gpucore as gp

TILE = 16
HALO = TILE + 2


def clamped(plate, row, column):
    """The temperature at an index; outside of the plate, that at its edge."""
    return plate[gp.clamp(row, 0, plate.shape[0] - 1), gp.clamp(column, 0, plate.shape[1] - 1)]


@gp.kernel(workgroup_size=(TILE, TILE))
def spread(before: gp.In[gp.f32, 2], after: gp.Out[gp.f32, 2], rate: gp.f32):
    tile = gp.workgroup_array(gp.f32, (HALO, HALO))
    top, left = gp.workgroup_id(1) * TILE - 1, gp.workgroup_id(0) * TILE - 1
    for k in range(gp.local_index(), HALO * HALO, TILE * TILE):
        tile[k // HALO, k % HALO] = clamped(before, top + k // HALO, left + k % HALO)
    gp.barrier()

    x, y = gp.local_id(0) + 1, gp.local_id(1) + 1
    row, column = gp.global_id(1), gp.global_id(0)
    if row < after.shape[0] and column < after.shape[1]:
        around = tile[y - 1, x] + tile[y + 1, x] + tile[y, x - 1] + tile[y, x + 1]
        after[row, column] = tile[y, x] + rate * (around - 4.0 * tile[y, x])


def heat(plate, steps, rate=0.2, device=None):
    """The temperatures (f32) after some steps; no heat leaves the plate."""
    now = gp.asarray(plate, gp.f32, device=device)
    then = gp.empty(now.shape, device=now.device)
    rows, columns = now.shape
    for _ in range(steps):
        spread(now, then, rate, invocations=(columns, rows))
        now, then = then, now
    return now.numpy()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    gp.add_device_argument(parser)
    device = gp.device(parser.parse_args().device)
    plate = np.zeros((200, 300), np.float32)
    plate[90:110, 140:160] = 100.0
    warm = heat(plate, 500, device=device)
    print(f"{device.name}: the maximum fell from {plate.max():.1f} to {warm.max():.1f} degrees;")
    print(f"the mean was {plate.mean(dtype=float):.4f} and is {warm.mean(dtype=float):.4f}")
