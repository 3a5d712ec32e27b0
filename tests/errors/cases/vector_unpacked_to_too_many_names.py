import gpucore as gp


@gp.kernel
def spread(x: gp.In[gp.f32x2], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    a, b, c = x[i]
    y[i] = a + b

# fix
#-    a, b, c = x[i]
#+    a, b = x[i]
