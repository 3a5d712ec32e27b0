import gpucore as gp


@gp.kernel
def kernel(x: gp.InOut[gp.u32]):
    i = gp.global_id(0)
    x[i] = gp.rotate_left(x[i], -1)

# fix
#-    x[i] = gp.rotate_left(x[i], -1)
#+    x[i] = gp.rotate_right(x[i], 1)
