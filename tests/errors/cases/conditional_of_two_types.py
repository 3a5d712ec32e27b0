import gpucore as gp


@gp.kernel
def clip(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    x[i] = x[i] if i > 0 else i

# fix
#-    x[i] = x[i] if i > 0 else i
#+    x[i] = x[i] if i > 0 else gp.f32(i)
