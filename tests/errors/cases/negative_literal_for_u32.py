import gpucore as gp


@gp.kernel
def reset(x: gp.InOut[gp.u32]):
    i = gp.global_id(0)
    x[i] = -1

# fix
#-    x[i] = -1
#+    x[i] = 4294967295
