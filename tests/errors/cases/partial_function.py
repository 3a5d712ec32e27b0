import functools

import gpucore as gp


def scaled(factor, value):
    return factor * value


twice = functools.partial(scaled, 2.0)


@gp.kernel
def kernel(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    x[i] = twice(x[i])

# fix
#-twice = functools.partial(scaled, 2.0)
#+def twice(value):
#+    return scaled(2.0, value)
