import gpucore as gp


@gp.kernel
def clear(volume: gp.Out[gp.f32, 3]):
    i, j = gp.global_id(0), gp.global_id(1)
    volume[i, j] = 0.0

# fix
#-    volume[i, j] = 0.0
#+    volume[i, j, gp.global_id(2)] = 0.0
