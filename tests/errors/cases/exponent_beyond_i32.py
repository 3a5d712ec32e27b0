import gpucore as gp


@gp.kernel
def kernel(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    x[i] = gp.ldexp(x[i], 3000000000)

# fix
#-    x[i] = gp.ldexp(x[i], 3000000000)
#+    x[i] = gp.ldexp(x[i], 2147483647)
