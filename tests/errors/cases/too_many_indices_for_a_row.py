import gpucore as gp


@gp.kernel
def corner(x: gp.In[gp.f32, 2], y: gp.Out[gp.f32]):
    row = x[gp.global_id(0)]
    y[0] = row[0, 1]

# fix
#-    y[0] = row[0, 1]
#+    y[0] = row[0]
