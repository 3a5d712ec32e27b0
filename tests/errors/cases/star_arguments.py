import gpucore as gp


@gp.kernel
def double(*arrays: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    arrays[0][i] = 2.0

# fix
#-def double(*arrays: gp.InOut[gp.f32]):
#+def double(x: gp.InOut[gp.f32]):
#-    arrays[0][i] = 2.0
#+    x[i] = 2.0
