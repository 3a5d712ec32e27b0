import gpucore as gp


@gp.kernel
def keep(x: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    if x[i] & 1:
        x[i] = 0

# fix
#-    if x[i] & 1:
#+    if (x[i] & 1) != 0:
