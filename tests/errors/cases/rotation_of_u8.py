import gpucore as gp


@gp.kernel
def kernel(image: gp.In[gp.u8], counts: gp.In[gp.u8], x: gp.Out[gp.u32]):
    i = gp.global_id(0)
    x[i] = gp.rotate_left(image[i], counts[i])

# fix
#-    x[i] = gp.rotate_left(image[i], counts[i])
#+    x[i] = gp.rotate_left(gp.u32(image[i]), counts[i])
