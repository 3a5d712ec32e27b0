import gpucore as gp


@gp.kernel
def weigh(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    total = 0.0
    for j, value in enumerate(x):
        total += value
    y[0] = total

# fix
#-    for j, value in enumerate(x):
#+    for j in range(x.size):
#-        total += value
#+        total += x[j]
