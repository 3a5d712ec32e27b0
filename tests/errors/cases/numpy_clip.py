import numpy as np

import gpucore as gp


@gp.kernel
def clip(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    x[i] = np.clip(x[i], 0.0, 1.0)

# fix
#-    x[i] = np.clip(x[i], 0.0, 1.0)
#+    x[i] = gp.clamp(x[i], 0.0, 1.0)
