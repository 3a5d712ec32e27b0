import gpucore as gp


@gp.struct
class Params:
    alpha: gp.f32


@gp.kernel
def scale(params: Params, x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    params.alpha = 2.0
    x[i] = params.alpha * x[i]

# fix
#-    params.alpha = 2.0
#-    x[i] = params.alpha * x[i]
#+    changed = Params(alpha=2.0)
#+    x[i] = changed.alpha * x[i]
