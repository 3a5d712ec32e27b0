import gpucore as gp


@gp.kernel
def double(x: gp.InOut[gp.f32, 5]):
    i = gp.global_id(0)
    x[i, 0] = 2.0

# fix
#-def double(x: gp.InOut[gp.f32, 5]):
#+def double(x: gp.InOut[gp.f32, 2]):
