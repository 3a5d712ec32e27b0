import gpucore as gp


@gp.kernel
def limit(x: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    x[i] = x[i] if i > 0 else 1.5

# fix
#-    x[i] = x[i] if i > 0 else 1.5
#+    x[i] = x[i] if i > 0 else gp.i32(1.5)
