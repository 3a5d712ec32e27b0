import math

import gpucore as gp


@gp.kernel
def kernel(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    x[i] = math.hypot(x[i], x[i] + 1.0)

# fix
#-    x[i] = math.hypot(x[i], x[i] + 1.0)
#+    x[i] = gp.sqrt(x[i] * x[i] + (x[i] + 1.0) * (x[i] + 1.0))
