import gpucore as gp


@gp.kernel
def kernel(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    y[0] = sum(item for item in x)

# fix
#-    y[0] = sum(item for item in x)
#+    total = 0.0
#+    for i in range(x.size):
#+        total += x[i]
#+    y[0] = total
