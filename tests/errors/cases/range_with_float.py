import gpucore as gp


@gp.kernel
def power(n: gp.f32, x: gp.InOut[gp.f32]):
    for k in range(n):
        x[0] = 2.0 * x[0]

# fix
#-    for k in range(n):
#+    for k in range(gp.i32(n)):
