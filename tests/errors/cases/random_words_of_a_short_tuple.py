import gpucore as gp


@gp.kernel
def noise(y: gp.Out[gp.u32], seed: gp.u32):
    i = gp.global_id(0)
    y[i] = gp.random.philox((seed, 0), (gp.u32(i), 0, 0)).x

# fix
#-    y[i] = gp.random.philox((seed, 0), (gp.u32(i), 0, 0)).x
#+    y[i] = gp.random.philox((seed, 0), (gp.u32(i), 0, 0, 0)).x
