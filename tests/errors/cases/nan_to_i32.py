import math

import gpucore as gp


@gp.kernel
def k(y: gp.Out[gp.i32]):
    y[gp.global_id(0)] = gp.i32(math.nan)

# fix
#-    y[gp.global_id(0)] = gp.i32(math.nan)
#+    y[gp.global_id(0)] = gp.i32(gp.f32(math.nan))
