from contextlib import nullcontext

import gpucore as gp


@gp.kernel
def double(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    with nullcontext():
        x[i] = 2.0 * x[i]

# fix
#-    with nullcontext():
#-        x[i] = 2.0 * x[i]
#+    x[i] = 2.0 * x[i]
