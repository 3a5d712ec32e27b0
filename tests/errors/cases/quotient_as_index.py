import gpucore as gp


@gp.kernel
def halves(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    y[i / 2] = x[i]

# fix
#-    y[i / 2] = x[i]
#+    y[i // 2] = x[i]
