import gpucore as gp


@gp.kernel
def kernel(x: gp.InOut[gp.f32]):
    values: gp.InOut[gp.f32] = x
    i = gp.global_id(0)
    values[i] = 2.0 * values[i]

# fix
#-    values: gp.InOut[gp.f32] = x
#+    values = x
