import gpucore as gp


@gp.kernel
def firsts(x: gp.In[gp.f32, 2], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    for value in reversed(x[i]):
        y[i] = value

# fix
#-    for value in reversed(x[i]):
#+    for j in range(x[i].size - 1, -1, -1):
#-        y[i] = value
#+        y[i] = x[i][j]
