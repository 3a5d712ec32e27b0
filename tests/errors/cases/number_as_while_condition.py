import gpucore as gp


@gp.kernel
def log2(x: gp.InOut[gp.u32]):
    i = gp.global_id(0)
    value = x[i]
    steps = gp.u32(0)
    while value:
        value = value >> 1
        steps += 1
    x[i] = steps

# fix
#-    while value:
#+    while value != 0:
