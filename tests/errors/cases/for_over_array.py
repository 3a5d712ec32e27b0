import gpucore as gp


@gp.kernel
def total(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    value = 0.0
    for item in x:
        value += item
    y[0] = value

# fix
#-    for item in x:
#-        value += item
#+    for i in range(x.size):
#+        value += x[i]
