import gpucore as gp


@gp.kernel(debug=True)
def double(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    breakpoint()
    x[i] = 2.0 * x[i]


def run(device):
    double(gp.zeros(4, device=device), invocations=4)

# fix
#-    breakpoint()
#+...
