import enum

import gpucore as gp


class Colour(enum.IntEnum):
    RED = 0
    BLUE = 1


@gp.kernel
def next_colour(x: gp.In[Colour], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    y[i] = gp.i32(x[i] + 1)

# fix
#-    y[i] = gp.i32(x[i] + 1)
#+    y[i] = gp.i32(x[i]) + 1
