import gpucore as gp


@gp.kernel
def größe(x: gp.InOut[gp.f32]):
    höhe = gp.global_id(0)
    x[höhe] = x[höhe] * 2.0 + höhe

# fix
#-    x[höhe] = x[höhe] * 2.0 + höhe
#+    x[höhe] = x[höhe] * 2.0 + gp.f32(höhe)
