"""A matrix of 96 x 160 elements, and its transpose."""

import matplotlib.pyplot as plt
import numpy as np
from transpose import transpose

row, column = np.mgrid[:96, :160].astype(np.float32)
matrix = np.sin(row / 9) + np.cos(column * (1 + row / 48) / 14)
_, axes = plt.subplots(1, 2, figsize=(7, 2.8))
for axis, values, title in zip(axes, (matrix, transpose(matrix)), ("matrix", "transpose"), strict=True):
    axis.imshow(values, cmap="viridis")
    axis.set(title=title, xticks=(), yticks=())
