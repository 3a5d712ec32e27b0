import gpucore as gp


@gp.kernel
def double(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if i < x.length:
        x[i] = 2.0 * x[i]

# fix
#-    if i < x.length:
#+    if i < x.size:
