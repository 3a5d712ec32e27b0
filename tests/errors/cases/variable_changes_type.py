import gpucore as gp


@gp.kernel
def total(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    value = 0
    for i in range(x.size):
        value = value + x[i]
    y[0] = value

# fix
#-    value = 0
#+    value = gp.f32(0)
