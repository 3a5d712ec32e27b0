import gpucore as gp


@gp.kernel
def double(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    value = 2.0 * x[i]
    x[i] = value
    del value

# fix
#-    del value
#+...
