"""Kernels as a user writes them. Never run: the tests give hand-built IR the places of these lines."""
# ruff: noqa
# mypy: ignore-errors


def saxpy(a, x, y):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = a * x[i] + y[i]


def block_sum(x, total):
    tile = gp.workgroup_array(gp.f32, 8)
    l = gp.local_id(0)
    tile[l] = x[gp.global_id(0)]
    gp.barrier()
    step = 4
    while step > 0:
        if l < step:
            tile[l] = tile[l] + tile[l + step]
        gp.barrier()
        step = step // 2
    if l == 0:
        total[gp.workgroup_id(0)] = tile[0]


def inspected(x):
    i = gp.local_id(0)
    v = x[i]
    breakpoint()
    x[i] = v + v
