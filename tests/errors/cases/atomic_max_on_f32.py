import gpucore as gp


@gp.kernel
def greatest(x: gp.In[gp.f32], y: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    gp.atomic_max(y, 0, x[i])

# fix
#-def greatest(x: gp.In[gp.f32], y: gp.InOut[gp.f32]):
#+def greatest(x: gp.In[gp.f32], y: gp.InOut[gp.u32]):
#-    gp.atomic_max(y, 0, x[i])
#+    gp.atomic_max(y, 0, gp.bitcast(gp.u32, x[i]))
