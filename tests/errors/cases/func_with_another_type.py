import gpucore as gp


@gp.func
def scaled(value: gp.f32) -> gp.f32:
    return 2.0 * value


@gp.kernel
def kernel(x: gp.In[gp.i32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    y[i] = scaled(x[i])

# fix
#-    y[i] = scaled(x[i])
#+    y[i] = scaled(gp.f32(x[i]))
