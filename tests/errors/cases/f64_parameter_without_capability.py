import gpucore as gp


@gp.kernel
def fill(value: gp.f64, y: gp.Out[gp.f32]):
    y[gp.global_id(0)] = gp.f32(value)


def run(device):
    fill(1.0, gp.zeros(4, gp.f32, device=device), invocations=4)

# fix
#-def fill(value: gp.f64, y: gp.Out[gp.f32]):
#+def fill(value: gp.f32, y: gp.Out[gp.f32]):
