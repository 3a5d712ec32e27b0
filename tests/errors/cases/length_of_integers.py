import gpucore as gp


@gp.kernel
def lengths(x: gp.In[gp.i32x2], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    y[i] = gp.length(x[i])

# fix
#-    y[i] = gp.length(x[i])
#+    y[i] = gp.length(gp.f32x2(x[i]))
