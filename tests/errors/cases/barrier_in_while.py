import gpucore as gp


@gp.kernel
def settle(x: gp.InOut[gp.f32]):
    k = gp.local_id(0)
    while x[k] > 1.0:
        x[k] = 0.5 * x[k]
        gp.barrier()

# fix
#-    while x[k] > 1.0:
#-        x[k] = 0.5 * x[k]
#+    for step in range(32):
#+        if x[k] > 1.0:
#+            x[k] = 0.5 * x[k]
