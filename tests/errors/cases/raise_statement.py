import gpucore as gp


@gp.kernel
def roots(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    if x[i] < 0.0:
        raise ValueError("negative")
    x[i] = gp.sqrt(x[i])

# fix
#-def roots(x: gp.InOut[gp.f32]):
#+def roots(x: gp.InOut[gp.f32], status: gp.Out[gp.i32]):
#-        raise ValueError("negative")
#-    x[i] = gp.sqrt(x[i])
#+        status[0] = 1
#+    else:
#+        x[i] = gp.sqrt(x[i])
