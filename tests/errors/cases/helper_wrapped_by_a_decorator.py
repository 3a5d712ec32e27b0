import functools

import gpucore as gp


def logged(function):
    @functools.wraps(function)
    def wrapper(*args):
        print(args)
        return function(*args)

    return wrapper


@logged
def double(value):
    return 2.0 * value


@gp.kernel
def kernel(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    x[i] = double(x[i])

# fix
#-@logged
#+@gp.func
