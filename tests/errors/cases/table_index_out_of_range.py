import gpucore as gp

weights = [0.25, 0.5, 0.25]


@gp.kernel
def smooth(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    x[i] = weights[3] * x[i]

# fix
#-    x[i] = weights[3] * x[i]
#+    x[i] = weights[2] * x[i]
