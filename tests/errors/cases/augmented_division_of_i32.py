import gpucore as gp


@gp.kernel
def halve(x: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    n = x[i]
    n /= 2
    x[i] = n

# fix
#-    n /= 2
#+    n = gp.i32(n / 2)
