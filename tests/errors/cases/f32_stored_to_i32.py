import gpucore as gp


@gp.kernel
def truncate(x: gp.In[gp.f32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    y[i] = gp.floor(x[i])

# fix
#-    y[i] = gp.floor(x[i])
#+    y[i] = gp.i32(gp.floor(x[i]))
