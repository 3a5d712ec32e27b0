import gpucore as gp


@gp.kernel
def kernel(a: gp.In[gp.i32x2], x: gp.Out[gp.u32]):
    i = gp.global_id(0)
    x[i] = gp.dot4_u8_packed(a[i], 0x01010101)

# fix
#-    x[i] = gp.dot4_u8_packed(a[i], 0x01010101)
#+    x[i] = gp.dot4_u8_packed(gp.u32(a[i].x), 0x01010101)
