import gpucore as gp


@gp.kernel
def choose(kind: gp.i32, x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    match kind:
        case 0:
            x[i] = 0.0
        case _:
            x[i] = 1.0

# fix
#-    match kind:
#-        case 0:
#-            x[i] = 0.0
#-        case _:
#-            x[i] = 1.0
#+    if kind == 0:
#+        x[i] = 0.0
#+    else:
#+        x[i] = 1.0
