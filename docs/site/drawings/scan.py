"""The sums of the first 1, 2, 3, ... of 5000 steps up or down: a random walk."""

import matplotlib.pyplot as plt
import numpy as np
from scan import scan

for seed in range(4):
    steps = np.random.default_rng(seed).choice([-1, 1], 5000).astype(np.int32)
    plt.plot(scan(steps).numpy(), linewidth=1)
plt.xlabel("steps")
plt.ylabel("sum")
