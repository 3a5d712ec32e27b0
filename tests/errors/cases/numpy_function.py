import numpy as np

import gpucore as gp


@gp.kernel
def roots(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    x[i] = np.sqrt(x[i])

# fix
#-import numpy as np
#-
#+...
#-    x[i] = np.sqrt(x[i])
#+    x[i] = gp.sqrt(x[i])
