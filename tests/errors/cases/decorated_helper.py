import functools

import gpucore as gp


@functools.lru_cache
def double(value):
    return 2.0 * value


@gp.kernel
def kernel(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    x[i] = double(x[i])

# fix
#-@functools.lru_cache
#+@gp.func
