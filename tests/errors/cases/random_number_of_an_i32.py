import gpucore as gp


@gp.kernel
def noise(y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    y[i] = gp.random.uniform(i)

# fix
#-    y[i] = gp.random.uniform(i)
#+    y[i] = gp.random.uniform(gp.u32(i))
