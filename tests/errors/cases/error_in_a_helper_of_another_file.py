import geometry

import gpucore as gp


@gp.kernel
def lengths(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    y[i] = geometry.length(x[i], x[i + 1])

# fix
#-    y[i] = geometry.length(x[i], x[i + 1])
#+    y[i] = geometry.squared(x[i]) + geometry.squared(x[i + 1])
