import numpy as np

import gpucore as gp


@gp.kernel
def kernel(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    x[i] = np.maximum(x[i], 0.0)

# fix
#-    x[i] = np.maximum(x[i], 0.0)
#+    x[i] = gp.max(x[i], 0.0)
