import gpucore as gp


@gp.kernel
def double(x: gp.InOut[gp.f64]):
    i = gp.global_id(0)
    x[i] = 2.0 * x[i]


def run(device):
    double(gp.zeros(4, gp.f64, device=device), invocations=4)

# fix
#-def double(x: gp.InOut[gp.f64]):
#+def double(x: gp.InOut[gp.f32]):
#-    double(gp.zeros(4, gp.f64, device=device), invocations=4)
#+    double(gp.zeros(4, gp.f32, device=device), invocations=4)
