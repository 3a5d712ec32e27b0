import gpucore as gp


@gp.kernel
def reverse(x: gp.InOut[gp.f32]):
    tile = gp.workgroup_array(gp.f32, (128, 128))
    k = gp.local_id(0)
    tile[k, 0] = x[k]
    gp.barrier()
    x[k] = tile[255 - k, 0]


def run(device):
    reverse(gp.zeros(256, device=device), invocations=256)

# fix
#-    tile = gp.workgroup_array(gp.f32, (128, 128))
#+    tile = gp.workgroup_array(gp.f32, (32, 128))
