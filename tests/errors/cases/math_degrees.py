import math

import gpucore as gp


@gp.kernel
def kernel(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    x[i] = math.degrees(x[i] + 1.0)

# fix
#-    x[i] = math.degrees(x[i] + 1.0)
#+    x[i] = (x[i] + 1.0) * (180.0 / 3.141592653589793)
