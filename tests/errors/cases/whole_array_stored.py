import gpucore as gp


@gp.kernel
def clear(y: gp.InOut[gp.f32]):
    y[:] = 0.0

# fix
#-    y[:] = 0.0
#+    i = gp.global_id(0)
#+    y[i] = 0.0
