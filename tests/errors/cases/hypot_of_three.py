import math

import gpucore as gp


@gp.kernel
def kernel(x: gp.In[gp.f32], y: gp.In[gp.f32], z: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    z[i] = math.hypot(x[i], y[i], z[i])

# fix
#-    z[i] = math.hypot(x[i], y[i], z[i])
#+    z[i] = math.hypot(math.hypot(x[i], y[i]), z[i])
