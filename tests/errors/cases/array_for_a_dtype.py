import gpucore as gp


@gp.kernel
def least(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    best = gp.max_value(x)
    for i in range(x.size):
        best = min(best, x[i])
    y[0] = best

# fix
#-    best = gp.max_value(x)
#+    best = gp.max_value(x.dtype)
