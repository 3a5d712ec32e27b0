import gpucore as gp


@gp.kernel
def invert(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    assert x[i], "zero"
    x[i] = 1.0 / x[i]

# fix
#-    assert x[i], "zero"
#+    assert x[i] != 0, "zero"
