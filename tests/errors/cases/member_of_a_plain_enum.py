import enum

import gpucore as gp


class Mode(enum.Enum):
    ADD = 1
    SUBTRACT = 2


@gp.kernel
def apply(mode: gp.i32, y: gp.InOut[gp.f32]):
    if mode == Mode.ADD:
        y[0] += 1.0

# fix
#-class Mode(enum.Enum):
#+class Mode(enum.IntEnum):
