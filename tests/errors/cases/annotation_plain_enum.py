import enum

import gpucore as gp


class Mode(enum.Enum):
    FAST = 0
    EXACT = 1


@gp.kernel
def kernel(mode: Mode, y: gp.InOut[gp.f32]):
    if mode == Mode.FAST:
        y[0] += 1.0

# fix
#-class Mode(enum.Enum):
#+class Mode(enum.IntEnum):
