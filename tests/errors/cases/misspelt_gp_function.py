import gpucore as gp


@gp.kernel
def double(x: gp.InOut[gp.f32]):
    i = gp.globl_id(0)
    x[i] = 2.0 * x[i]

# fix
#-    i = gp.globl_id(0)
#+    i = gp.global_id(0)
