import gpucore as gp


@gp.kernel
def scale(x: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    x[i] = x[i] * 1.5

# fix
#-    x[i] = x[i] * 1.5
#+    x[i] = gp.i32(gp.f32(x[i]) * 1.5)
