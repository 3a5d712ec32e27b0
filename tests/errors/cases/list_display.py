import gpucore as gp


@gp.kernel
def smooth(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    weights = [0.25, 0.5, 0.25]
    i = gp.global_id(0)
    y[i] = weights[1] * x[i]

# fix
#-    weights = [0.25, 0.5, 0.25]
#+    weights = (0.25, 0.5, 0.25)
