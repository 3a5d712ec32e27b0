import gpucore as gp


@gp.kernel
def shift(x: gp.In[gp.f32, 2], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    row = x[i - 1] if i > 0 else x[0]
    y[i] = row[0]

# fix
#-    row = x[i - 1] if i > 0 else x[0]
#+    row = x[i - 1 if i > 0 else 0]
