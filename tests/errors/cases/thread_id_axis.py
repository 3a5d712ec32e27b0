import gpucore as gp


@gp.kernel
def double(x: gp.InOut[gp.f32]):
    i = gp.global_id(3)
    x[i] = 2.0 * x[i]

# fix
#-    i = gp.global_id(3)
#+    i = gp.global_id(2)
