import gpucore as gp


@gp.kernel
def power(x: gp.InOut[gp.f32]):
    for k in range(0, 10, 0):
        x[0] = 2.0 * x[0]

# fix
#-    for k in range(0, 10, 0):
#+    for k in range(0, 10, 1):
