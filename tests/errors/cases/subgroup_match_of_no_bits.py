import gpucore as gp


@gp.kernel
def kernel(x: gp.In[gp.u32], y: gp.Out[gp.u32]):
    i = gp.global_id(0)
    y[i] = gp.subgroup_match(x[i], 0).x

# fix
#-    y[i] = gp.subgroup_match(x[i], 0).x
#+    y[i] = gp.subgroup_match(x[i], 32).x
