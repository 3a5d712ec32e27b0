import math

import gpucore as gp


@gp.kernel
def kernel(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    x[i] = math.log(x[i], 10)

# fix
#-    x[i] = math.log(x[i], 10)
#+    x[i] = math.log(x[i]) / math.log(10)
