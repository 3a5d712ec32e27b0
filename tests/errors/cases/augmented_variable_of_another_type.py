import gpucore as gp


@gp.kernel
def add_up(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    total = 0
    for j in range(8):
        total += x[i * 8 + j]
    y[i] = total

# fix
#-    total = 0
#+    total = gp.f32(0)
