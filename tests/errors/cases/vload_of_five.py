import gpucore as gp


@gp.kernel
def take(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    y[gp.global_id(0)] = gp.vload(x, 0, 5).x

# fix
#-    y[gp.global_id(0)] = gp.vload(x, 0, 5).x
#+    y[gp.global_id(0)] = gp.vload(x, 0, 4).x
