import numpy as np

import gpucore as gp

weights = np.array([0.25, 0.5, 0.25], np.float32)


@gp.kernel
def smooth(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    x[i] = weights[1] * x[i]

# fix
#-def smooth(x: gp.InOut[gp.f32]):
#+def smooth(weights: gp.In[gp.f32], x: gp.InOut[gp.f32]):
