import gpucore as gp


@gp.kernel
def halves(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    y[i] = x[int(x[i])]

# fix
#-    y[i] = x[int(x[i])]
#+    y[i] = x[gp.i32(x[i])]
