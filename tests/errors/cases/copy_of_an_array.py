import gpucore as gp


@gp.kernel
def kernel(x: gp.InOut[gp.f32], y: gp.Out[gp.f32]):
    y = x.copy()

# fix
#-    y = x.copy()
#+    y[gp.global_id(0)] = x[gp.global_id(0)]
