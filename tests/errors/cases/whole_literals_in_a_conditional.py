import gpucore as gp


@gp.kernel
def mark(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    c = x[i] > 0.5
    y[i] = 1 if c else 0

# fix
#-    y[i] = 1 if c else 0
#+    y[i] = 1.0 if c else 0.0
