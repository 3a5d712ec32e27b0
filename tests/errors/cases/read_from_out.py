import gpucore as gp


@gp.kernel
def accumulate(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    y[i] += x[i]

# fix
#-def accumulate(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
#+def accumulate(x: gp.In[gp.f32], y: gp.InOut[gp.f32]):
