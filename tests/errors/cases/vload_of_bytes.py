import gpucore as gp


@gp.kernel
def take(x: gp.In[gp.u8], y: gp.Out[gp.u32x2]):
    i = gp.global_id(0)
    y[i] = gp.vload(x, 2 * i, 2)

# fix
#-    y[i] = gp.vload(x, 2 * i, 2)
#+    y[i] = gp.u32x2(x[2 * i], x[2 * i + 1])
