import gpucore as gp


@gp.kernel
def wrap(x: gp.InOut[gp.f32]):
    x[0] = x[-1]

# fix
#-    x[0] = x[-1]
#+    x[0] = x[x.size - 1]
