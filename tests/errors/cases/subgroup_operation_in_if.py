import gpucore as gp


@gp.kernel
def kernel(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if i < x.size:
        x[i] = gp.subgroup_add(x[i])

# fix
#-    if i < x.size:
#-        x[i] = gp.subgroup_add(x[i])
#+    value = x[i] if i < x.size else 0.0
#+    total = gp.subgroup_add(value)
#+    if i < x.size:
#+        x[i] = total
