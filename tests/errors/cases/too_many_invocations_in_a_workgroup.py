import gpucore as gp


@gp.kernel(workgroup_size=(32, 32))
def double(x: gp.InOut[gp.f32, 2]):
    i, j = gp.global_id(0), gp.global_id(1)
    if i < x.shape[0] and j < x.shape[1]:
        x[i, j] = 2.0 * x[i, j]


def run(device):
    double(gp.zeros((32, 32), device=device), invocations=(32, 32))

# fix
#-@gp.kernel(workgroup_size=(32, 32))
#+@gp.kernel(workgroup_size=(16, 16))
