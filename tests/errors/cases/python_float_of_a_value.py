import gpucore as gp


@gp.kernel
def scaled(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    y[i] = x[i] * float(i + 1)

# fix
#-    y[i] = x[i] * float(i + 1)
#+    y[i] = x[i] * gp.f32(i + 1)
