import gpucore as gp


@gp.kernel
def mark(x: gp.In[gp.f32], y: gp.Out[gp.f32x2]):
    i = gp.global_id(0)
    y[i] = 1 if x[i] > 0.5 else 0

# fix
#-    y[i] = 1 if x[i] > 0.5 else 0
#+    y[i] = gp.f32x2(gp.f32(1 if x[i] > 0.5 else 0))
