import gpucore as gp


@gp.kernel
def stride(n: gp.u32, x: gp.InOut[gp.f32]):
    for k in range(gp.global_id(0), x.size, n):
        x[k] = 2.0 * x[k]

# fix
#-    for k in range(gp.global_id(0), x.size, n):
#+    for k in range(gp.global_id(0), x.size, gp.i32(n)):
