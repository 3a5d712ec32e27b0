import gpucore as gp


@gp.kernel
def double(x: gp.InOut[gp.f32]):
    index = gp.global_id(0)
    x[index] = 2.0 * x[idnex]

# fix
#-    x[index] = 2.0 * x[idnex]
#+    x[index] = 2.0 * x[index]
