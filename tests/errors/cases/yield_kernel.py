import gpucore as gp


@gp.kernel
def double(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    yield x[i]

# fix
#-    yield x[i]
#+    x[i] = 2.0 * x[i]
