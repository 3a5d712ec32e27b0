import gpucore as gp


@gp.struct
class Point:
    x: gp.f32
    y: gp.f32


@gp.kernel
def least(a: Point, b: Point, y: gp.Out[gp.f32]):
    y[0] = a.x if a < b else b.x

# fix
#-    y[0] = a.x if a < b else b.x
#+    y[0] = a.x if a.x < b.x else b.x
