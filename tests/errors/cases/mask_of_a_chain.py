import gpucore as gp


@gp.kernel
def clip(x: gp.InOut[gp.f32x4]):
    i = gp.global_id(0)
    x[i] = gp.select(0.0 < x[i] < 1.0, x[i], 0.0)

# fix
#-    x[i] = gp.select(0.0 < x[i] < 1.0, x[i], 0.0)
#+    x[i] = gp.select((x[i] > 0.0) & (x[i] < 1.0), x[i], 0.0)
