import gpucore as gp


@gp.kernel
def kernel(y: gp.Out[gp.f32]):
    y[0] = 1.0 if gp.target.backand == "cpu" else 0.0

# fix
#-    y[0] = 1.0 if gp.target.backand == "cpu" else 0.0
#+    y[0] = 1.0 if gp.target.backend == "cpu" else 0.0
