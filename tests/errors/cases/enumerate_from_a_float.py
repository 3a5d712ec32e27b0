import gpucore as gp


@gp.kernel
def weigh(y: gp.InOut[gp.f32]):
    for k, weight in gp.unroll(enumerate((3, 4), 0.5)):
        y[0] += k * weight

# fix
#-    for k, weight in gp.unroll(enumerate((3, 4), 0.5)):
#+    for k, weight in gp.unroll(enumerate((3, 4), 1)):
