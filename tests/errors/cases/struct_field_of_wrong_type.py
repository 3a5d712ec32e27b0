import gpucore as gp


@gp.struct
class Point:
    x: gp.f32
    y: gp.f32


@gp.kernel
def place(y: gp.Out[Point]):
    i = gp.global_id(0)
    y[i] = Point(i, 0.0)

# fix
#-    y[i] = Point(i, 0.0)
#+    y[i] = Point(gp.f32(i), 0.0)
