"""A plate with two hot rectangles, at the start and after 600 steps."""

import matplotlib.pyplot as plt
import numpy as np
from heat import heat

plate = np.zeros((100, 160), np.float32)
plate[20:50, 30:60] = plate[60:80, 100:140] = 100.0
_, axes = plt.subplots(1, 2, figsize=(7, 2.6))
for axis, temperatures, title in zip(axes, (plate, heat(plate, 600)), ("step 0", "step 600"), strict=True):
    axis.imshow(temperatures, cmap="inferno", vmin=0, vmax=100)
    axis.set(title=title, xticks=(), yticks=())
