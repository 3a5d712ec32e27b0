import gpucore as gp


@gp.kernel
def copy(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    value: float = x[0]
    y[0] = value

# fix
#-    value: float = x[0]
#+    value: gp.f32 = x[0]
