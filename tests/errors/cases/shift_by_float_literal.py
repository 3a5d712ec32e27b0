import gpucore as gp


@gp.kernel
def shift(x: gp.InOut[gp.u32]):
    i = gp.global_id(0)
    x[i] = x[i] >> 1.0

# fix
#-    x[i] = x[i] >> 1.0
#+    x[i] = x[i] >> 1
