import gpucore as gp


@gp.kernel
def signs(x: gp.In[gp.f32], y: gp.Out[gp.u32]):
    i = gp.global_id(0)
    y[i] = -1 if x[i] < 0.0 else 1

# fix
#-    y[i] = -1 if x[i] < 0.0 else 1
#+    y[i] = 4294967295 if x[i] < 0.0 else 1
