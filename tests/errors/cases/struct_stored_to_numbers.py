import gpucore as gp


@gp.struct
class Point:
    x: gp.f32
    y: gp.f32


@gp.kernel
def copy(p: Point, y: gp.Out[gp.f32]):
    y[0] = p

# fix
#-    y[0] = p
#+    y[0] = p.x
