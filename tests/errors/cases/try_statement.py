import gpucore as gp


@gp.kernel
def inverse(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    try:
        x[i] = 1.0 / x[i]
    except ZeroDivisionError:
        x[i] = 0.0

# fix
#-    try:
#+    if x[i] != 0.0:
#-    except ZeroDivisionError:
#+    else:
