import gpucore as gp


@gp.kernel
def add(n: int, x: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    x[i] = x[i] + n

# fix
#-def add(n: int, x: gp.InOut[gp.i32]):
#+def add(n: gp.i32, x: gp.InOut[gp.i32]):
