"""k-means: each point is assigned to the nearest centre, and each centre moves to the mean of its points."""

import argparse

import numpy as np

import gpucore as gp


def squared(v):
    return gp.dot(v, v)


@gp.kernel(workgroup_size=128)
def assign(
    points: gp.In[gp.f32x2],
    centres: gp.In[gp.f32x2],
    labels: gp.Out[gp.i32],
    sums: gp.InOut[gp.f32, 2],
    counts: gp.InOut[gp.i32],
):
    i = gp.global_id(0)
    if i >= points.size:
        return
    point = points[i]
    best = 0
    for k in range(1, centres.size):
        if squared(point - centres[k]) < squared(point - centres[best]):
            best = k
    labels[i] = best
    gp.atomic_add(sums, (best, 0), point.x)
    gp.atomic_add(sums, (best, 1), point.y)
    gp.atomic_add(counts, best, 1)


def kmeans_step(points, centres, device=None):
    """The labels of points of shape (n, 2), and the new centres; a centre without points does not move."""
    points = gp.asarray(points, gp.f32x2, device=device)
    device = points.device
    labels = gp.empty(points.size, gp.i32, device=device)
    sums = gp.zeros((len(centres), 2), device=device)
    counts = gp.zeros(len(centres), gp.i32, device=device)
    assign(points, gp.asarray(centres, gp.f32x2, device=device), labels, sums, counts, invocations=points.size)
    number = counts.numpy()[:, None]
    return labels.numpy(), np.where(number > 0, sums.numpy() / np.maximum(number, 1), centres)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    gp.add_device_argument(parser)
    device = gp.device(parser.parse_args().device)
    random = np.random.default_rng(1)
    points = np.concatenate([random.normal(middle, 0.5, (20_000, 2)) for middle in ((0, 0), (4, 1), (1, 5))])
    centres = points[:: len(points) // 3][:3]
    for _ in range(10):
        labels, centres = kmeans_step(points, centres, device)
    print(f"{device.name}: centres at {', '.join(f'({x:.2f}, {y:.2f})' for x, y in centres)}")
