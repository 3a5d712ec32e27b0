import gpucore as gp


@gp.kernel
def double(x: gp.In[gp.f32]):
    i = gp.global_id(0)
    x[i] = 2.0 * x[i]

# fix
#-def double(x: gp.In[gp.f32]):
#+def double(x: gp.InOut[gp.f32]):
