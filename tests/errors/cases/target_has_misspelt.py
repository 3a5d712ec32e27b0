import gpucore as gp


@gp.kernel
def kernel(y: gp.Out[gp.f32]):
    if gp.target.has("subgroups"):
        y[0] = 1.0
    else:
        y[0] = 0.0

# fix
#-    if gp.target.has("subgroups"):
#+    if gp.target.has("subgroup"):
