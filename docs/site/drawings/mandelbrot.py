"""Steps until each pixel escapes; the logarithm makes both ends visible."""

import matplotlib.pyplot as plt
import numpy as np
from mandelbrot import mandelbrot

plt.imshow(np.log2(1 + mandelbrot(450, 300)), cmap="magma")
plt.axis("off")
