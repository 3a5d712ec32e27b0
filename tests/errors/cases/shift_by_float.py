import gpucore as gp


@gp.kernel
def shift(amount: gp.f32, x: gp.InOut[gp.u32]):
    i = gp.global_id(0)
    x[i] = x[i] << amount

# fix
#-    x[i] = x[i] << amount
#+    x[i] = x[i] << gp.u32(amount)
