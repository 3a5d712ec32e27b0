import gpucore as gp


@gp.kernel
def kernel(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if gp.subgroup_id() == 0:
        x[i] = gp.subgroup_add(x[i])


def run(device):
    kernel.ir(device=device)

# fix
#-    if gp.subgroup_id() == 0:
#-        x[i] = gp.subgroup_add(x[i])
#+    total = gp.subgroup_add(x[i])
#+    if gp.subgroup_id() == 0:
#+        x[i] = total
