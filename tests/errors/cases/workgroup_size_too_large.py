import gpucore as gp


@gp.kernel(workgroup_size=1024)
def double(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if i < x.size:
        x[i] = 2.0 * x[i]


def run(device):
    double(gp.zeros(256, device=device), invocations=256)

# fix
#-@gp.kernel(workgroup_size=1024)
#+@gp.kernel(workgroup_size=256)
