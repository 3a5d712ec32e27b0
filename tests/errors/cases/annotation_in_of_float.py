import gpucore as gp


@gp.kernel
def double(x: gp.InOut[float]):
    i = gp.global_id(0)
    x[i] = 2.0 * x[i]

# fix
#-def double(x: gp.InOut[float]):
#+def double(x: gp.InOut[gp.f32]):
