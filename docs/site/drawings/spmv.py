"""A sparse matrix that averages neighbours in a circle, applied 0, 10, 100 and 1000 times to one peak."""

import matplotlib.pyplot as plt
import numpy as np
from spmv import compress, spmv

matrix = sum(np.roll(np.eye(120, dtype=np.float32), shift, axis=1) for shift in (-1, 0, 1)) / np.float32(3)
parts = compress(matrix)
values = np.zeros(120, np.float32)
values[60] = 1
for times in range(1001):
    if times in (0, 10, 100, 1000):
        plt.plot(values, label=f"{times} products")
    values = spmv(*parts, values)
plt.yscale("symlog", linthresh=0.01)
plt.xlabel("element")
plt.legend()
