import gpucore as gp


@gp.struct
class Point:
    x: gp.f32
    y: gp.f32


@gp.kernel
def choose(p: Point, y: gp.Out[gp.f32]):
    best = p
    for k in range(4):
        best = p.x
    y[0] = best.x

# fix
#-        best = p.x
#+        best = Point(p.x, gp.f32(k))
