import functools

import gpucore as gp


def logged(function):
    @functools.wraps(function)
    def wrapper(*args):
        print(args)
        return function(*args)

    return wrapper


def nested():
    @gp.kernel
    @logged
    def kernel(x: gp.InOut[gp.f32]):
        i = gp.global_id(0)
        x[i] = 2.0 * x[i]

    return kernel


kernel = nested()

# fix
#-    @logged
#+...
