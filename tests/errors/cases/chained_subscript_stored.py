import gpucore as gp


@gp.kernel
def double(x: gp.In[gp.f32, 2], y: gp.Out[gp.f32, 2]):
    r, c = gp.global_id(0), gp.global_id(1)
    y[r][c] = 2.0 * x[r, c]

# fix
#-    y[r][c] = 2.0 * x[r, c]
#+    y[r, c] = 2.0 * x[r, c]
