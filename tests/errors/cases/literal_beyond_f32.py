import gpucore as gp


@gp.kernel
def fill(y: gp.Out[gp.f32]):
    y[gp.global_id(0)] = 1e50

# fix
#-    y[gp.global_id(0)] = 1e50
#+    y[gp.global_id(0)] = 3.4e38
