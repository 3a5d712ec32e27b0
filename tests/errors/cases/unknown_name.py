import gpucore as gp


@gp.kernel
def double(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    x[i] = factor * x[i]

# fix
#-import gpucore as gp
#+import gpucore as gp
#+
#+
#+factor = 2.0
