import gpucore as gp


@gp.kernel
def kernel(x: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    x[i] = pow(x[i] + 1, 2)

# fix
#-    x[i] = pow(x[i] + 1, 2)
#+    x[i] = (x[i] + 1) ** 2
