import gpucore as gp


@gp.kernel
def drop(v: gp.In[gp.f32x4], x: gp.Out[gp.f32x3]):
    i = gp.global_id(0)
    x[i] = v[i]

# fix
#-    x[i] = v[i]
#+    x[i] = v[i].xyz
