import gpucore as gp


@gp.kernel
def clip(x: gp.InOut[gp.f32x4]):
    i = gp.global_id(0)
    if x[i] > 1.0:
        x[i] = gp.f32x4(1.0)

# fix
#-    if x[i] > 1.0:
#+    if gp.all(x[i] > 1.0):
