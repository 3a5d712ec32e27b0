import gpucore as gp


@gp.kernel
def either(x: gp.In[gp.f32], y: gp.In[gp.f32], z: gp.Out[gp.f32]):
    i = gp.global_id(0)
    source, factor = (x, 2.0) if i > 3 else (y, 3.0)
    z[i] = source[i] * factor

# fix
#-    source, factor = (x, 2.0) if i > 3 else (y, 3.0)
#-    z[i] = source[i] * factor
#+    if i > 3:
#+        z[i] = x[i] * 2.0
#+    else:
#+        z[i] = y[i] * 3.0
