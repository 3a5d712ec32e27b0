import gpucore as gp


@gp.kernel
def move(x: gp.InOut[gp.i32x2], by: gp.f32x2):
    i = gp.global_id(0)
    x[i].y -= by

# fix
#-    x[i].y -= by
#+    x[i].y -= gp.i32(by.x)
