import enum

import gpucore as gp


class Op(enum.IntEnum):
    ADD = 0
    SUBTRACT = 1


@gp.kernel
def kernel(op: Op, y: gp.InOut[gp.f32]):
    match op:
        case Op.ADD:
            y[0] += 1.0

# fix
#-            y[0] += 1.0
#+            y[0] += 1.0
#+        case Op.SUBTRACT:
#+            y[0] -= 1.0
