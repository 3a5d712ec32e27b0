import gpucore as gp


def scaled(x, *, factor):
    return x * factor


@gp.kernel
def scale(y: gp.InOut[gp.f32]):
    y[0] = scaled(y[0], 2.0)

# fix
#-    y[0] = scaled(y[0], 2.0)
#+    y[0] = scaled(y[0], factor=2.0)
