import gpucore as gp


@gp.kernel
def row_sums(x: gp.In[gp.f32, 2], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    y[i] = sum([x[i, j] for j in range(4)])

# fix
#-    y[i] = sum([x[i, j] for j in range(4)])
#+    total = 0.0
#+    for j in range(4):
#+        total += x[i, j]
#+    y[i] = total
