import gpucore as gp


@gp.kernel
def double(x: gp.In[gp.f32, 2], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    y[i] = x[i][0]

# fix
#-    y[i] = x[i][0]
#+    y[i] = x[i, 0]
