import gpucore as gp


@gp.kernel
def bits(x: gp.In[gp.f32], y: gp.Out[gp.u64]):
    i = gp.global_id(0)
    y[i] = gp.bitcast(gp.u64, x[i])

# fix
#-def bits(x: gp.In[gp.f32], y: gp.Out[gp.u64]):
#+def bits(x: gp.In[gp.f32], y: gp.Out[gp.u32]):
#-    y[i] = gp.bitcast(gp.u64, x[i])
#+    y[i] = gp.bitcast(gp.u32, x[i])
