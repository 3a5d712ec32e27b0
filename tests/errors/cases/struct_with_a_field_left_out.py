import gpucore as gp


@gp.struct
class Point:
    x: gp.f32
    y: gp.f32


@gp.kernel
def origin(y: gp.Out[Point]):
    y[0] = Point(0.0)

# fix
#-    y[0] = Point(0.0)
#+    y[0] = Point(0.0, 0.0)
