import gpucore as gp


@gp.kernel
def firsts(x: gp.In[gp.f32, 2], y: gp.Out[gp.f32]):
    total = 0.0
    for row in x:
        total += row[0]
    y[0] = total

# fix
#-    for row in x:
#-        total += row[0]
#+    for i in range(x.shape[0]):
#+        total += x[i][0]
