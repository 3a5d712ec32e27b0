import gpucore as gp


@gp.kernel
def take(y: gp.Out[gp.f32]):
    y[gp.global_id(0)] = 1.0
    gp.barrier(False)

# fix
#-    gp.barrier(False)
#+    gp.barrier(buffers=False)
