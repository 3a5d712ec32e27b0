"""Three clouds of points in the colours of their centres, and the ways of the centres in ten steps."""

import matplotlib.pyplot as plt
import numpy as np
from kmeans import kmeans_step

random = np.random.default_rng(1)
points = np.concatenate([random.normal(middle, 0.6, (300, 2)) for middle in ((0, 0), (4, 1), (1, 4))])
ways = [np.array([[-1.0, 3.0], [0.0, 4.0], [3.0, 3.0]])]
for _ in range(10):
    labels, centres = kmeans_step(points, ways[-1])
    ways.append(centres)
plt.scatter(*points.T, s=4, c=[f"C{label}" for label in labels], alpha=0.6)
for way in np.stack(ways, axis=1):
    plt.plot(*way.T, marker="o", markersize=3, color="C4")
plt.gca().set(aspect="equal")
