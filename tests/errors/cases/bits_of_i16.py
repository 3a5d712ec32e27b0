import gpucore as gp


@gp.kernel
def kernel(a: gp.In[gp.i16], x: gp.Out[gp.i32]):
    i = gp.global_id(0)
    x[i] = gp.clz(a[i])

# fix
#-    x[i] = gp.clz(a[i])
#+    x[i] = gp.clz(gp.i32(a[i]))
