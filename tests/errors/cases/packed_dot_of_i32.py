import gpucore as gp


@gp.kernel
def kernel(a: gp.In[gp.u32], b: gp.In[gp.i32], x: gp.Out[gp.i32]):
    i = gp.global_id(0)
    x[i] = gp.dot4_i8_packed(a[i], b[i])

# fix
#-    x[i] = gp.dot4_i8_packed(a[i], b[i])
#+    x[i] = gp.dot4_i8_packed(a[i], gp.u32(b[i]))
