import gpucore as gp


@gp.kernel
def bits(x: gp.In[gp.f32], y: gp.Out[gp.u32]):
    y[0] = gp.bitcast(x[0], gp.u32)

# fix
#-    y[0] = gp.bitcast(x[0], gp.u32)
#+    y[0] = gp.bitcast(gp.u32, x[0])
