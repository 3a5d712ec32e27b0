import gpucore as gp


@gp.func
def norm(v: gp.f32x2) -> gp.f32:
    return gp.length(v)


@gp.kernel
def kernel(x: gp.In[gp.i32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    y[i] = norm((1, x[i]))

# fix
#-    y[i] = norm((1, x[i]))
#+    y[i] = norm((1, gp.f32(x[i])))
