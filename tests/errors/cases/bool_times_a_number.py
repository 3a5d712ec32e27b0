import gpucore as gp


@gp.kernel
def score(x: gp.In[gp.f32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    y[i] = (x[i] > 0.5) * 5

# fix
#-    y[i] = (x[i] > 0.5) * 5
#+    y[i] = gp.i32(x[i] > 0.5) * 5
