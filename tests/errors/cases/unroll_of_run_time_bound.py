import gpucore as gp


@gp.kernel
def power(n: gp.i32, x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    value = 1.0
    for k in gp.unroll(range(n)):
        value *= x[i]
    x[i] = value

# fix
#-    for k in gp.unroll(range(n)):
#+    for k in range(n):
