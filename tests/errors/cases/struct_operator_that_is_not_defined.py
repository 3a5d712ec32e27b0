import gpucore as gp


@gp.struct
class Point:
    x: gp.f32
    y: gp.f32


@gp.kernel
def add(a: Point, b: Point, y: gp.Out[Point]):
    y[0] = a + b

# fix
#-    y[0] = a + b
#+    y[0] = Point(a.x + b.x, a.y + b.y)
