"""Random cells, and the same board 200 generations later."""

import matplotlib.pyplot as plt
import numpy as np
from life import life

cells = (np.random.default_rng(1).random((60, 90)) < 0.3).astype(np.int32)
_, axes = plt.subplots(1, 2, figsize=(7, 2.6))
for axis, board, title in zip(axes, (cells, life(cells, 200)), ("generation 0", "generation 200"), strict=True):
    axis.imshow(board, cmap="Greens", interpolation="nearest")
    axis.set(title=title, xticks=(), yticks=())
