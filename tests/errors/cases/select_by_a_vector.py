import gpucore as gp


@gp.kernel
def without_nan(x: gp.InOut[gp.f32x2]):
    i = gp.global_id(0)
    x[i] = gp.select(gp.isnan(x[i]), gp.f32x2(0.0), x[i])

# fix
#-    x[i] = gp.select(gp.isnan(x[i]), gp.f32x2(0.0), x[i])
#+    x[i] = gp.select(gp.isnan(x[i]).x, gp.f32x2(0.0), x[i])
