import gpucore as gp


@gp.kernel
def double(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    j = gp.global_id(1)
    x[i, j] = 2.0

# fix
#-    x[i, j] = 2.0
#+    x[i] = 2.0
