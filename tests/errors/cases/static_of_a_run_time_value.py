import gpucore as gp


@gp.kernel
def double(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    x[i] = gp.static(i * 2.0)

# fix
#-    x[i] = gp.static(i * 2.0)
#+    x[i] = gp.static(7 * 2.0)
