import gpucore as gp


@gp.kernel
def total(x: gp.In[gp.f32], n: gp.In[gp.i32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    y[i] = (
        x[i]
        + n[i]
    )

# fix
#-        + n[i]
#+        + gp.f32(n[i])
