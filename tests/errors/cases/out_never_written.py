import gpucore as gp


@gp.kernel
def double(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    value = 2.0 * x[i]

# fix
#-    value = 2.0 * x[i]
#+    value = 2.0 * x[i]
#+    y[i] = value
