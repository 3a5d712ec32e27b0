import enum

import gpucore as gp


class Mode(enum.IntEnum):
    SLOW = 0
    FAST = 1

    def speed(self):
        return self.value * 10


@gp.kernel
def kernel(x: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    x[i] = Mode.FAST.speed()

# fix
#-@gp.kernel
#+def speed(mode):
#+    return mode.value * 10
#+
#+
#+@gp.kernel
#-    x[i] = Mode.FAST.speed()
#+    x[i] = speed(Mode.FAST)
