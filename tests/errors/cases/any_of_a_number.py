import gpucore as gp


@gp.kernel
def clip(x: gp.InOut[gp.f32x4]):
    i = gp.global_id(0)
    if gp.any(x[i]):
        x[i] = gp.f32x4(1.0)

# fix
#-    if gp.any(x[i]):
#+    if gp.any(x[i] > 0):
