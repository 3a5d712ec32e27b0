import enum

import gpucore as gp


class Op(enum.IntEnum):
    ADD = 0
    SUBTRACT = 1


@gp.kernel
def kernel(op: Op, y: gp.InOut[gp.f32]):
    if op == Op.SUBSTRACT:
        y[0] -= 1.0

# fix
#-    if op == Op.SUBSTRACT:
#+    if op == Op.SUBTRACT:
