import gpucore as gp


@gp.kernel
def double(x: gp.InOut[gp.f16x3]):
    i = gp.global_id(0)
    x[i] = x[i] + x[i]


def run(device):
    double(gp.zeros(4, gp.f16x3, device=device), invocations=4)

# fix
#-def double(x: gp.InOut[gp.f16x3]):
#+def double(x: gp.InOut[gp.f32x3]):
#-    double(gp.zeros(4, gp.f16x3, device=device), invocations=4)
#+    double(gp.zeros(4, gp.f32x3, device=device), invocations=4)
