import gpucore as gp


@gp.kernel
def clip(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if (value := x[i]) > 1.0:
        x[i] = 1.0 / value

# fix
#-    if (value := x[i]) > 1.0:
#+    value = x[i]
#+    if value > 1.0:
