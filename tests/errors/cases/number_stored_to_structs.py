import gpucore as gp


@gp.struct
class Point:
    x: gp.f32
    y: gp.f32


@gp.kernel
def clear(y: gp.Out[Point]):
    y[gp.global_id(0)] = 0.0

# fix
#-    y[gp.global_id(0)] = 0.0
#+    y[gp.global_id(0)] = Point(0.0, 0.0)
