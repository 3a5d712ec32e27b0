import gpucore as gp


@gp.func
def first(values: gp.In[gp.f32]):
    return values[0]


@gp.kernel
def kernel(x: gp.In[gp.i32], y: gp.Out[gp.f32]):
    y[0] = first(x)

# fix
#-def first(values: gp.In[gp.f32]):
#+def first(values):
#-    return values[0]
#+    return gp.f32(values[0])
