import gpucore as gp


@gp.kernel
def count(x: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    steps = 0
    if x[i] > 0:
        steps = 1.5
    x[i] = steps

# fix
#-        steps = 1.5
#+        steps = gp.i32(1.5)
