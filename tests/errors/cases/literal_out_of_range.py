import gpucore as gp


@gp.kernel
def mask(x: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    x[i] = x[i] & 0xFFFFFFFF

# fix
#-    x[i] = x[i] & 0xFFFFFFFF
#+    x[i] = x[i] & 0x7FFFFFFF
