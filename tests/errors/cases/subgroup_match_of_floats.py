import gpucore as gp


@gp.kernel
def kernel(x: gp.In[gp.f32], y: gp.Out[gp.u32]):
    i = gp.global_id(0)
    y[i] = gp.subgroup_match(x[i], 32).x

# fix
#-    y[i] = gp.subgroup_match(x[i], 32).x
#+    y[i] = gp.subgroup_match(gp.bitcast(gp.u32, x[i]), 32).x
