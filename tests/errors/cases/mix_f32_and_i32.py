import gpucore as gp


@gp.kernel
def add_index(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = x[i] + i

# fix
#-        y[i] = x[i] + i
#+        y[i] = x[i] + gp.f32(i)
