import gpucore as gp


@gp.struct
class Point:
    x: gp.f32
    y: gp.f32


@gp.kernel
def test(p: Point, y: gp.Out[gp.f32]):
    if p:
        y[0] = p.x

# fix
#-    if p:
#+    if p.x != 0.0:
