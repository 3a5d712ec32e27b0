import gpucore as gp


@gp.kernel
def clear_columns(y: gp.InOut[gp.f32, 2]):
    i = gp.global_id(0)
    y[:, 2 * i] = 0.0

# fix
#-    y[:, 2 * i] = 0.0
#+    for j in range(y.shape[0]):
#+        y[j, 2 * i] = 0.0
