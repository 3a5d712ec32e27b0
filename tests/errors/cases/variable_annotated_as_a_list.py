import gpucore as gp


@gp.kernel
def kernel(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    value: list[float] = 0
    x[i] = value

# fix
#-    value: list[float] = 0
#+    value: gp.f32 = 0
