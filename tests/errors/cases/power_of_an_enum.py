import enum

import gpucore as gp


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


@gp.kernel
def energies(x: gp.In[Level], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    y[i] = gp.i32(x[i] ** 2)

# fix
#-    y[i] = gp.i32(x[i] ** 2)
#+    y[i] = gp.i32(x[i]) ** 2
