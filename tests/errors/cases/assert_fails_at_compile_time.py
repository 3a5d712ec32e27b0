import gpucore as gp

BINDINGS = {"tile": 6}


@gp.kernel
def blocks(x: gp.InOut[gp.f32], tile: gp.Const[int]):
    i = gp.global_id(0)
    assert tile % 4 == 0, "whole vectors"
    x[i] = 2.0 * x[i]

# fix
#-BINDINGS = {"tile": 6}
#+BINDINGS = {"tile": 8}
