import gpucore as gp


@gp.kernel
def reset(x: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    x[i] = 0.5

# fix
#-    x[i] = 0.5
#+    x[i] = gp.i32(0.5)
