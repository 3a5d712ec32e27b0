import gpucore as gp


@gp.kernel
def without_nan(x: gp.In[gp.f32x2], y: gp.InOut[gp.f32x4]):
    i = gp.global_id(0)
    y[i] = gp.select(gp.isnan(x[i]), gp.f32x4(0.0), y[i])

# fix
#-    y[i] = gp.select(gp.isnan(x[i]), gp.f32x4(0.0), y[i])
#+    y[i] = gp.select(gp.isnan(x[i].xyxy), gp.f32x4(0.0), y[i])
