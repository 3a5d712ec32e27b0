import gpucore as gp


class Point:
    x: gp.f32
    y: gp.f32

    def __init__(self, x, y):
        self.x, self.y = x, y


@gp.kernel
def corner(y: gp.Out[gp.f32]):
    point = Point(1.0, 2.0)
    y[0] = point.x

# fix
#-class Point:
#+@gp.struct
#+class Point:
#-    def __init__(self, x, y):
#-        self.x, self.y = x, y
#+...
