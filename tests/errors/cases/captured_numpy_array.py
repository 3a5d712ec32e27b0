import numpy as np

import gpucore as gp

weights = np.array([0.25, 0.5, 0.25], np.complex64)


@gp.kernel
def smooth(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    x[i] = weights[1] * x[i]

# fix
#-weights = np.array([0.25, 0.5, 0.25], np.complex64)
#+weights = np.array([0.25, 0.5, 0.25], np.float32)
