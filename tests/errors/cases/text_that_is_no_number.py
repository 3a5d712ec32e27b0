import gpucore as gp


@gp.kernel
def fill(y: gp.Out[gp.f32]):
    y[0] = float("infinite")

# fix
#-    y[0] = float("infinite")
#+    y[0] = float("inf")
