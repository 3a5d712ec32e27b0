import gpucore as gp


@gp.kernel
def lift(x: gp.InOut[gp.f32x3]):
    i = gp.global_id(0)
    x[i].w = 1.0

# fix
#-    x[i].w = 1.0
#+    x[i].z = 1.0
