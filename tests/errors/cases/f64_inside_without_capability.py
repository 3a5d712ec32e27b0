import gpucore as gp


@gp.kernel
def average(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    total = gp.f64(x[i]) + gp.f64(x[i + 1])
    y[i] = gp.f32(total / 2.0)


def run(device):
    average(gp.zeros(5, device=device), gp.zeros(4, device=device), invocations=4)

# fix
#-    total = gp.f64(x[i]) + gp.f64(x[i + 1])
#+    total = gp.f32(x[i]) + gp.f32(x[i + 1])
