"""Gravity between bodies: an array of structs with a method, and tiles of bodies in workgroup memory."""

import argparse

import numpy as np

import gpucore as gp

SIZE = 64


@gp.struct
class Body:
    position: gp.f32x4  # x, y, z, and 0
    velocity: gp.f32x4
    mass: gp.f32

    def acceleration_at(self, point, softening):  # caused by this body
        offset = self.position - point
        inverse = gp.rsqrt(gp.dot(offset, offset) + softening**2)
        return offset * (self.mass * inverse**3)


@gp.kernel(workgroup_size=SIZE)
def step(before: gp.In[Body], after: gp.Out[Body], seconds: gp.f32, softening: gp.f32):
    tile = gp.workgroup_array(Body, SIZE)
    i, l = gp.global_id(0), gp.local_id(0)
    me = before[min(i, before.size - 1)]
    acceleration = gp.f32x4(0.0)
    for start in range(0, before.size, SIZE):
        tile[l] = before[min(start + l, before.size - 1)]
        gp.barrier()
        for j in range(min(SIZE, before.size - start)):
            acceleration += tile[j].acceleration_at(me.position, softening)
        gp.barrier()
    if i < after.size:
        velocity = me.velocity + acceleration * seconds
        after[i] = Body(me.position + velocity * seconds, velocity, me.mass)


def simulate(bodies, steps, seconds=0.01, softening=0.05, device=None):
    """The bodies (a NumPy array of Body.dtype) after some steps."""
    now = gp.asarray(bodies, Body, device=device)
    then = gp.empty(now.size, Body, device=now.device)
    for _ in range(steps):
        step(now, then, seconds, softening, invocations=now.size)
        now, then = then, now
    return now.numpy()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    gp.add_device_argument(parser)
    device = gp.device(parser.parse_args().device)
    bodies = np.zeros(1000, Body)
    bodies["position"][:, :3] = np.random.default_rng(1).normal(size=(1000, 3))
    bodies["mass"] = 1 / 1000
    momentum = simulate(bodies, 10, device=device)["velocity"].mean(axis=0)
    print(f"{device.name}: momentum after 10 steps: {np.abs(momentum).max():.1e} (0 before)")
