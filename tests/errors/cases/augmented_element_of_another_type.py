import gpucore as gp


@gp.kernel
def count(x: gp.InOut[gp.u32], n: gp.i32):
    i = gp.global_id(0)
    x[i] += n * 2

# fix
#-    x[i] += n * 2
#+    x[i] += gp.u32(n * 2)
