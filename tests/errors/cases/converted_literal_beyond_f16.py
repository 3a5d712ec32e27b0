import gpucore as gp


@gp.kernel
def fill(y: gp.Out[gp.f16]):
    y[gp.global_id(0)] = gp.f16(70000)

# fix
#-    y[gp.global_id(0)] = gp.f16(70000)
#+    y[gp.global_id(0)] = gp.f16(65504)
