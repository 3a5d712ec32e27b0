import gpucore as gp


@gp.kernel
def swap(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    a, b = x[i], x[i + 1], x[i + 2]
    x[i] = b

# fix
#-    a, b = x[i], x[i + 1], x[i + 2]
#+    a, b = x[i], x[i + 1]
