import gpucore as gp


@gp.kernel
def root(x: gp.In[gp.i32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    value = x[i]
    if value > 0:
        value = gp.sqrt(gp.f32(value))
    y[i] = gp.f32(value)

# fix
#-    value = x[i]
#+    value = gp.f32(x[i])
