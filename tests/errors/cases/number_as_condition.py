import gpucore as gp


@gp.kernel
def keep(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if x[i] - 1.0:
        x[i] = 0.0

# fix
#-    if x[i] - 1.0:
#+    if (x[i] - 1.0) != 0:
