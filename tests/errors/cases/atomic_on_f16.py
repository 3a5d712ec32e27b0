import gpucore as gp


@gp.kernel
def total(x: gp.In[gp.i32], y: gp.InOut[gp.f16]):
    i = gp.global_id(0)
    gp.atomic_add(y, 0, x[i])

# fix
#-def total(x: gp.In[gp.i32], y: gp.InOut[gp.f16]):
#+def total(x: gp.In[gp.i32], y: gp.InOut[gp.i32]):
