import gpucore as gp


@gp.kernel
def pick(x: gp.In[gp.f32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    if x[i] if i > 3 else x[0]:
        y[i] = 1

# fix
#-    if x[i] if i > 3 else x[0]:
#+    if (x[i] if i > 3 else x[0]) != 0:
