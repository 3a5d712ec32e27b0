import gpucore as gp


@gp.kernel
def mean(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    y[0] = x.sum()

# fix
#-    y[0] = x.sum()
#+    value = 0.0
#+    for i in range(x.size):
#+        value += x[i]
#+    y[0] = value
