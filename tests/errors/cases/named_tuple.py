import collections

import gpucore as gp

Point = collections.namedtuple("Point", "x y")


@gp.kernel
def corner(y: gp.Out[gp.f32]):
    point = Point(1.0, 2.0)
    y[0] = point.x

# fix
#-    point = Point(1.0, 2.0)
#-    y[0] = point.x
#+    point = (1.0, 2.0)
#+    y[0] = point[0]
