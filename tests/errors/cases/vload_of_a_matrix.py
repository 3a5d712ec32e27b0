import gpucore as gp


@gp.kernel
def take(x: gp.In[gp.f32, 2], y: gp.Out[gp.f32x4]):
    i = gp.global_id(0)
    y[i] = gp.vload(x, 4 * i, 4)

# fix
#-    y[i] = gp.vload(x, 4 * i, 4)
#+    y[i] = gp.vload(x[i], 0, 4)
