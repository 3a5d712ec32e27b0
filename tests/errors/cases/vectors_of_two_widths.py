import gpucore as gp


@gp.kernel
def scale(x: gp.In[gp.f32], y: gp.Out[gp.f32x2]):
    y[0] = gp.f32x2(x[0], 1.0) * gp.f32x4(1.0)

# fix
#-    y[0] = gp.f32x2(x[0], 1.0) * gp.f32x4(1.0)
#+    y[0] = gp.f32x2(x[0], 1.0) * gp.f32x4(1.0).xy
