"""A million normal numbers in 60 parts."""

import matplotlib.pyplot as plt
import numpy as np
from histogram import histogram

counts = histogram(np.random.default_rng(1).normal(size=1_000_000), 60, -3.0, 3.0)
plt.stairs(counts, np.linspace(-3, 3, 61), fill=True)
plt.xlabel("value")
plt.ylabel("number of values")
