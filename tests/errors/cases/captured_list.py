import gpucore as gp


weights = [0.25, 0.5, 0.25]


@gp.kernel
def smooth(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    x[i] = weights[1] * x[i]

# fix
#-weights = [0.25, 0.5, 0.25]
#+weights = (0.25, 0.5, 0.25)
