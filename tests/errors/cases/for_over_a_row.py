import gpucore as gp


@gp.kernel
def totals(x: gp.In[gp.f32, 2], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    value = 0.0
    for item in x[i]:
        value += item
    y[i] = value

# fix
#-    for item in x[i]:
#-        value += item
#+    for j in range(x[i].size):
#+        value += x[i][j]
