import gpucore as gp


def positive(value):
    if value > 0.0:
        return value


@gp.kernel
def clip(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    x[i] = positive(x[i])

# fix
#-        return value
#+        return value
#+    return 0.0
