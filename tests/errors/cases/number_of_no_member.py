import enum

import gpucore as gp


class Colour(enum.IntEnum):
    RED = 0
    BLUE = 1


@gp.kernel
def paint(y: gp.Out[Colour]):
    y[gp.global_id(0)] = Colour(2)

# fix
#-    y[gp.global_id(0)] = Colour(2)
#+    y[gp.global_id(0)] = Colour(1)
