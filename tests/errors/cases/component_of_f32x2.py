import gpucore as gp


@gp.kernel
def depth(x: gp.In[gp.f32x2], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    y[i] = x[i].z

# fix
#-    y[i] = x[i].z
#+    y[i] = x[i].y
