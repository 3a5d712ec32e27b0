"""Inclusive scan (prefix sums) of any length: scan the blocks, scan their totals, and add these to the blocks."""

import argparse

import numpy as np

import gpucore as gp

BLOCK = 256


@gp.kernel(workgroup_size=BLOCK)
def scan_blocks(values: gp.In[gp.i32], sums: gp.Out[gp.i32], totals: gp.Out[gp.i32]):
    block = gp.workgroup_array(gp.i32, BLOCK)
    i, l = gp.global_id(0), gp.local_id(0)
    block[l] = values[i] if i < values.size else 0
    gp.barrier()

    distance = 1
    while distance < BLOCK:
        before = block[l - distance] if l >= distance else 0
        gp.barrier()  # all reads before the writes
        block[l] += before
        gp.barrier()
        distance *= 2

    if i < sums.size:
        sums[i] = block[l]
    if l == BLOCK - 1:
        totals[gp.workgroup_id(0)] = block[l]


@gp.kernel(workgroup_size=BLOCK)
def add_totals(sums: gp.InOut[gp.i32], totals: gp.In[gp.i32]):
    i = gp.global_id(0)
    if BLOCK <= i < sums.size:
        sums[i] += totals[i // BLOCK - 1]


def scan(values, device=None):
    """A device array with the sums of the first 1, 2, 3, ... values (i32; they wrap)."""
    values = gp.asarray(values, gp.i32, device=device)
    sums = gp.empty(values.size, gp.i32, device=values.device)
    totals = gp.empty(-(-values.size // BLOCK), gp.i32, device=values.device)
    scan_blocks(values, sums, totals, invocations=values.size)
    if totals.size > 1:
        add_totals(sums, scan(totals), invocations=sums.size)
    return sums


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    gp.add_device_argument(parser)
    device = gp.device(parser.parse_args().device)
    values = np.random.default_rng(1).integers(-100, 100, 1_000_003, dtype=np.int32)
    right = np.array_equal(scan(values, device).numpy(), np.cumsum(values, dtype=np.int32))
    print(f"{device.name}: {'right' if right else 'WRONG'}")
