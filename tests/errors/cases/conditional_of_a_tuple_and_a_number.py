import gpucore as gp


@gp.kernel
def ordered(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    low, high = 0.0 if x[i] < 1.0 else (1.0, x[i])
    y[i] = high - low

# fix
#-    low, high = 0.0 if x[i] < 1.0 else (1.0, x[i])
#+    low, high = (0.0, 0.0) if x[i] < 1.0 else (1.0, x[i])
