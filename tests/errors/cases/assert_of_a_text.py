import gpucore as gp


@gp.kernel
def kernel(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    assert "i is out of range"
    x[i] = 2.0 * x[i]

# fix
#-    assert "i is out of range"
#+    assert i < x.size, "i is out of range"
