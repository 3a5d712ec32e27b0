import enum

import gpucore as gp


class Op(enum.IntEnum):
    ADD = 0
    SUBTRACT = 1


@gp.kernel
def show(op: Op, y: gp.Out[gp.i32]):
    print(op.name)
    y[0] = op.value

# fix
#-    print(op.name)
#+    print(op.value)
