import functools

import gpucore as gp


def scale(x, factor):
    i = gp.global_id(0)
    x[i] = factor * x[i]


kernel = gp.kernel(functools.partial(scale, factor=2.0))

# fix
#-kernel = gp.kernel(functools.partial(scale, factor=2.0))
#+@gp.kernel
#+def kernel(x: gp.InOut[gp.f32]):
#+    scale(x, 2.0)
