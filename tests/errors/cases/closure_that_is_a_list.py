import gpucore as gp


def make(weights):
    @gp.kernel
    def smooth(x: gp.InOut[gp.f32]):
        i = gp.global_id(0)
        x[i] = weights[0] * x[i]

    return smooth


kernel = make([0.25, 0.5])

# fix
#-kernel = make([0.25, 0.5])
#+kernel = make((0.25, 0.5))
