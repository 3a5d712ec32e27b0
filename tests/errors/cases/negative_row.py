import gpucore as gp


@gp.kernel
def last_row(x: gp.In[gp.f32, 2], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    row = x[-1]
    y[i] = row[i]

# fix
#-    row = x[-1]
#+    row = x[x.shape[0] - 1]
