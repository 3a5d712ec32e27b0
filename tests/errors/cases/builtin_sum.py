import gpucore as gp


@gp.kernel
def total(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    y[0] = sum(x)

# fix
#-    y[0] = sum(x)
#+    value = 0.0
#+    for i in range(x.size):
#+        value += x[i]
#+    y[0] = value
