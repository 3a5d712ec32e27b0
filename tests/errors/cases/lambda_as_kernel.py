import gpucore as gp


double = gp.kernel(lambda x: x)


def run(device):
    double(gp.zeros(4, device=device), invocations=4)

# fix
#-double = gp.kernel(lambda x: x)
#+@gp.kernel
#+def double(x: gp.InOut[gp.f32]):
#+    x[gp.global_id(0)] *= 2.0
