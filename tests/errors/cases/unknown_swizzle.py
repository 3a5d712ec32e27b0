import gpucore as gp


@gp.kernel
def red(x: gp.In[gp.f32x4], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    y[i] = x[i].r

# fix
#-    y[i] = x[i].r
#+    y[i] = x[i].x
