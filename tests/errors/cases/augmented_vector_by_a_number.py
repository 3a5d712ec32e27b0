import gpucore as gp


@gp.kernel
def move(x: gp.InOut[gp.f32x2], n: gp.i32):
    i = gp.global_id(0)
    x[i] -= n

# fix
#-    x[i] -= n
#+    x[i] -= gp.f32(n)
