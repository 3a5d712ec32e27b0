import operator

import gpucore as gp


@gp.kernel
def kernel(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    x[i] = operator.add(x[i], 1.0)

# fix
#-    x[i] = operator.add(x[i], 1.0)
#+    x[i] = x[i] + 1.0
