import enum

import gpucore as gp


class Op(enum.IntEnum):
    ADD = 0
    SUBTRACT = 1


class Colour(enum.IntEnum):
    RED = 0
    BLUE = 1


@gp.kernel
def kernel(op: Op, y: gp.InOut[gp.f32]):
    match op:
        case Op.ADD:
            y[0] += 1.0
        case Colour.BLUE:
            y[0] -= 1.0

# fix
#-        case Colour.BLUE:
#+        case Op.SUBTRACT:
