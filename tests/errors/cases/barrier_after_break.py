import gpucore as gp


@gp.kernel
def settle(x: gp.InOut[gp.f32]):
    k = gp.local_id(0)
    for step in range(8):
        if x[k] < 0.001:
            break
        x[k] = 0.5 * x[k]
        gp.barrier()

# fix
#-        if x[k] < 0.001:
#-            break
#-        x[k] = 0.5 * x[k]
#+        if x[k] >= 0.001:
#+            x[k] = 0.5 * x[k]
