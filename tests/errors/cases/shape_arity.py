import gpucore as gp


@gp.kernel
def double(x: gp.InOut[gp.f32]):
    rows, columns = x.shape
    i = gp.global_id(0)
    x[i] = 2.0 * x[i]

# fix
#-def double(x: gp.InOut[gp.f32]):
#+def double(x: gp.InOut[gp.f32, 2]):
#-    x[i] = 2.0 * x[i]
#+    x[i, 0] = 2.0 * x[i, 0]
