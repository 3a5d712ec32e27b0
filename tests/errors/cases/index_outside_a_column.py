import gpucore as gp


@gp.kernel
def last(y: gp.Out[gp.f32]):
    tile = gp.private_array(gp.f32, (2, 3))
    column = tile[:, 1]
    y[0] = column[2]

# fix
#-    y[0] = column[2]
#+    y[0] = column[1]
