import gpucore as gp


@gp.kernel
def copy_rows(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    y[0:4] = x[0:4]

# fix
#-    y[0:4] = x[0:4]
#+    for i in range(4):
#+        y[i] = x[i]
