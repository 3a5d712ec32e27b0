"""Histogram: each workgroup counts in workgroup memory, and then adds its counts to the result."""

import argparse

import numpy as np

import gpucore as gp

SIZE = 128
EACH = 8  # values per invocation


@gp.kernel(workgroup_size=SIZE)
def count(values: gp.In[gp.f32], low: gp.f32, scale: gp.f32, counts: gp.InOut[gp.u32], bins: gp.Const[int]):
    partial = gp.workgroup_array(gp.u32, bins)
    l = gp.local_id(0)
    for k in range(l, bins, SIZE):
        partial[k] = 0
    gp.barrier()

    start = gp.workgroup_id(0) * SIZE * EACH + l
    for i in range(start, min(start + SIZE * EACH, values.size), SIZE):
        position = (values[i] - low) * scale
        if 0 <= position < bins:
            gp.atomic_add(partial, gp.i32(position), 1)
    gp.barrier()

    for k in range(l, bins, SIZE):
        gp.atomic_add(counts, k, partial[k])


def histogram(values, bins, low, high, device=None):
    """How many of the values lie in each of `bins` equal parts of [low, high): u32."""
    values = gp.asarray(values, gp.f32, device=device)
    counts = gp.zeros(bins, gp.u32, device=values.device)
    count(values, low, bins / (high - low), counts, bins, workgroups=-(-values.size // (SIZE * EACH)))
    return counts.numpy()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    gp.add_device_argument(parser)
    device = gp.device(parser.parse_args().device)
    values = np.random.default_rng(1).normal(size=1_000_000)
    counts = histogram(values, 12, -3.0, 3.0, device)
    print(device.name)
    for k, number in enumerate(counts):
        print(f"{-3 + k / 2:5.1f} {number:7d} {'#' * (60 * number // counts.max())}")
