import gpucore as gp


@gp.kernel
def double(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    x[i] = 2.0 * x[i]


@gp.kernel
def quadruple(x: gp.InOut[gp.f32]):
    double(x)
    double(x)


kernel = quadruple

# fix
#-@gp.kernel
#-def double(x: gp.InOut[gp.f32]):
#+def double(x):
