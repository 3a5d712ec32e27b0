import gpucore as gp


@gp.kernel
def log2(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    value = x[i]
    steps = 0.0
    while value:
        value = value - 1.0
        steps += 1.0
    x[i] = steps

# fix
#-    while value:
#+    while value != 0:
