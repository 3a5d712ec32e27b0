import gpucore as gp


@gp.kernel
def double(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    print("index", i)
    x[i] = 2.0 * x[i]


def run(device):
    double(gp.zeros(4, device=device), invocations=4)

# fix
#-    print("index", i)
#+...
