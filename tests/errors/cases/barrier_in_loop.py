import gpucore as gp


@gp.kernel
def spread(x: gp.InOut[gp.f32]):
    k = gp.local_id(0)
    for step in range(k):
        x[k] = x[k] + 1.0
        gp.barrier()

# fix
#-    for step in range(k):
#-        x[k] = x[k] + 1.0
#+    for step in range(256):
#+        if step < k:
#+            x[k] = x[k] + 1.0
