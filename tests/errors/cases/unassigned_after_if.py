import gpucore as gp


@gp.kernel
def positive(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if x[i] > 0.0:
        value = x[i]
    x[i] = value

# fix
#-    i = gp.global_id(0)
#+    i = gp.global_id(0)
#+    value = 0.0
