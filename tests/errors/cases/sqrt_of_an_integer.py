import gpucore as gp


@gp.kernel
def roots(x: gp.In[gp.i32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    y[i] = gp.sqrt(x[i])

# fix
#-    y[i] = gp.sqrt(x[i])
#+    y[i] = gp.sqrt(gp.f32(x[i]))
