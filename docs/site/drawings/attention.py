"""The weights of each query (rows) for each key (columns). With the identity as v, they are the result."""

import matplotlib.pyplot as plt
import numpy as np
from attention import attention_of

import gpucore as gp

place = np.arange(64)[:, None] / 64
q = k = np.concatenate([2 * np.cos(place * np.linspace(0, 8, 32)), 2 * np.sin(place * np.linspace(0, 8, 32))], axis=1)
_, axes = plt.subplots(1, 2, figsize=(7, 3.4))
for axis, causal in zip(axes, (False, True), strict=True):
    given = [gp.asarray(part[None], gp.f32) for part in (q, k, np.eye(64))]
    axis.imshow(attention_of(*given, causal).numpy()[0], cmap="viridis")
    axis.set(title="with a causal mask" if causal else "without a mask", xlabel="key", ylabel="query")
