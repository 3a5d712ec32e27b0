"""A disk of bodies that turn around a heavy one, seen from above: at the start and after 100 steps."""

import matplotlib.pyplot as plt
import numpy as np
from nbody import Body, simulate

random = np.random.default_rng(1)
bodies = np.zeros(1500, Body)
radius, angle = random.uniform(0.5, 2.0, 1500), random.uniform(0, 2 * np.pi, 1500)
bodies["position"][:, 0], bodies["position"][:, 1] = radius * np.cos(angle), 0.6 * radius * np.sin(angle)
speed = np.sqrt(1 / radius)
bodies["velocity"][:, 0], bodies["velocity"][:, 1] = -speed * np.sin(angle), speed * np.cos(angle)
bodies["mass"] = 1e-5
bodies[0] = (0, 0, 1.0)
_, axes = plt.subplots(1, 2, figsize=(7, 3.4))
for axis, steps in zip(axes, (0, 100), strict=True):
    axis.scatter(*simulate(bodies, steps)["position"][:, :2].T, s=1.5)
    axis.set(title=f"step {steps}", xlim=(-2.5, 2.5), ylim=(-2.5, 2.5), aspect="equal", xticks=(), yticks=())
