import gpucore as gp


@gp.kernel
def scale(factor: float, x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    x[i] = factor * x[i]

# fix
#-def scale(factor: float, x: gp.InOut[gp.f32]):
#+def scale(factor: gp.f32, x: gp.InOut[gp.f32]):
