import gpucore as gp


@gp.struct
class Params:
    alpha: gp.f32


@gp.kernel
def scale(params: Params, x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    x[i] = params.beta * x[i]

# fix
#-    x[i] = params.beta * x[i]
#+    x[i] = params.alpha * x[i]
