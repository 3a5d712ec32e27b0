import numpy as np

import gpucore as gp


@gp.kernel
def double(x: np.ndarray):
    i = gp.global_id(0)
    x[i] = 2.0 * x[i]

# fix
#-import numpy as np
#-
#+...
#-def double(x: np.ndarray):
#+def double(x: gp.InOut[gp.f32]):
