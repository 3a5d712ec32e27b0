import gpucore as gp


@gp.kernel
def kernel(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    return
    y[i] = x[i]

# fix
#-    return
#+    if i >= x.size: return
