import gpucore as gp


@gp.kernel
def double(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    pairs = list(range(4))
    x[i] = 2.0 * x[i]

# fix
#-    pairs = list(range(4))
#+...
