import gpucore as gp


@gp.kernel
def last(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    for i in range(x.size):
        value = x[i]
    y[0] = value

# fix
#-def last(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
#+def last(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
#+    value = 0.0
