import gpucore as gp


@gp.kernel
def roots(x: gp.InOut[gp.f32]):
    import math

    i = gp.global_id(0)
    x[i] = math.sqrt(x[i])

# fix
#-import gpucore as gp
#+import math
#+
#+import gpucore as gp
#-    import math
#-
#+...
