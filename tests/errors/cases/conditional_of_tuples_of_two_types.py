import gpucore as gp


def split(x):
    whole = gp.floor(x)
    return gp.i32(whole), x - whole


@gp.kernel
def parts(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    whole, part = (gp.f32(i), 0.5) if x[i] < 1.0 else split(x[i])
    y[i] = whole + part

# fix
#-    return gp.i32(whole), x - whole
#+    return whole, x - whole
