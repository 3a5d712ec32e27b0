import gpucore as gp


@gp.kernel
def take(y: gp.Out[gp.f32]):
    gp.vstore(y, 4 * gp.global_id(0), 1.0)

# fix
#-    gp.vstore(y, 4 * gp.global_id(0), 1.0)
#+    gp.vstore(y, 4 * gp.global_id(0), gp.f32x4(1.0))
