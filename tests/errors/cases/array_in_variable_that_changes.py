import gpucore as gp


@gp.kernel
def pick(flag: gp.i32, a: gp.In[gp.f32], b: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    chosen = a
    if flag > 0:
        chosen = b
    y[i] = chosen[i]

# fix
#-    chosen = a
#+...
#-        chosen = b
#-    y[i] = chosen[i]
#+        y[i] = b[i]
#+    else:
#+        y[i] = a[i]
