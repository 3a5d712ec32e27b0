import numpy as np

import gpucore as gp


@gp.kernel
def count(x: gp.In[gp.i32], y: gp.Out[gp.f32]):
    counts = np.zeros(8)
    for i in range(x.size):
        counts[x[i] % 8] += 1.0
    y[0] = counts[0]

# fix
#-    counts = np.zeros(8)
#+    counts = gp.private_array(gp.f32, 8)
