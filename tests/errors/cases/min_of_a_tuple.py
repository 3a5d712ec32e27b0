import gpucore as gp


@gp.kernel
def limit(x: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    x[i] = min((1, x[i]))

# fix
#-    x[i] = min((1, x[i]))
#+    x[i] = min(1, x[i])
