import gpucore as gp


@gp.kernel
def halves(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    y[i] = x[i / 2]

# fix
#-    y[i] = x[i / 2]
#+    y[i] = x[gp.i32(i / 2)]
