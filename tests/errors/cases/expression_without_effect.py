import gpucore as gp


@gp.kernel
def increment(x: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    x[i] == x[i] + 1

# fix
#-    x[i] == x[i] + 1
#+    x[i] = x[i] + 1
