import gpucore as gp


@gp.kernel
def reverse(x: gp.InOut[gp.f32x3]):
    s = gp.workgroup_array(gp.f32x3, 2048)
    flag = gp.workgroup_array(gp.i32, 1)
    k = gp.local_id(0)
    s[k] = x[k]
    flag[0] = 255
    gp.barrier()
    x[k] = s[flag[0] - k]


def run(device):
    reverse(gp.zeros(256, gp.f32x3, device=device), invocations=256)

# fix
#-    s = gp.workgroup_array(gp.f32x3, 2048)
#+    s = gp.workgroup_array(gp.f32x3, 1024)
