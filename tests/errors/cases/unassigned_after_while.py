import gpucore as gp


@gp.kernel
def halve(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    while x[i] > 1.0:
        value = 0.5 * x[i]
        x[i] = value
    x[i] = value

# fix
#-    i = gp.global_id(0)
#+    i = gp.global_id(0)
#+    value = 0.0
