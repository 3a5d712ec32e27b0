import enum

import gpucore as gp


class Op(enum.IntEnum):
    ADD = 0
    SUBTRACT = 1


class Colour(enum.IntEnum):
    RED = 0
    BLUE = 1


@gp.kernel
def paint(y: gp.Out[Colour]):
    y[gp.global_id(0)] = Op.ADD

# fix
#-    y[gp.global_id(0)] = Op.ADD
#+    y[gp.global_id(0)] = Colour.RED
