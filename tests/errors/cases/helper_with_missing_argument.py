import gpucore as gp


def lerp(a, b, t):
    return a + (b - a) * t


@gp.kernel
def blend(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    x[i] = lerp(x[i], 1.0)

# fix
#-    x[i] = lerp(x[i], 1.0)
#+    x[i] = lerp(x[i], 1.0, 0.5)
