import gpucore as gp


@gp.kernel
def roots(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    assert x[i] >= 0.0, "negative"
    x[i] = gp.sqrt(x[i])

# fix
#-    assert x[i] >= 0.0, "negative"
#-    x[i] = gp.sqrt(x[i])
#+    if x[i] >= 0.0:
#+        x[i] = gp.sqrt(x[i])
