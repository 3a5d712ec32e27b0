import gpucore as gp


@gp.kernel
def kernel(x: gp.InOut[gp.f64]):
    i = gp.global_id(0)
    x[i] = gp.subgroup_add(x[i])

# fix
#-    x[i] = gp.subgroup_add(x[i])
#+    x[i] = gp.f64(gp.subgroup_add(gp.f32(x[i])))
