import gpucore as gp


@gp.kernel
def kernel(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    print(i, x)
    x[i] = 0.0

# fix
#-    print(i, x)
#+    print(i, x[i])
