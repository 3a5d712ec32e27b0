import gpucore as gp


@gp.func
def rounded(value: gp.f32) -> gp.i32:
    return gp.round(value)


@gp.kernel
def kernel(x: gp.In[gp.f32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    y[i] = rounded(x[i])

# fix
#-    return gp.round(value)
#+    return gp.i32(gp.round(value))
