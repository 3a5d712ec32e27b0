import gpucore as gp


@gp.kernel
def total(x: gp.In[gp.f32], y: gp.InOut[gp.f32]):
    for i in range(x):
        y[0] += x[i]

# fix
#-    for i in range(x):
#+    for i in range(x.size):
