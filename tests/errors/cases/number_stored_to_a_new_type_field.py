from typing import NewType

import gpucore as gp

Metres = NewType("Metres", gp.f32)


@gp.struct
class Cell:
    depth: Metres
    id: gp.i32


@gp.kernel
def dig(cells: gp.InOut[Cell], x: gp.In[gp.f32]):
    i = gp.global_id(0)
    cells[i].depth = x[i]

# fix
#-    cells[i].depth = x[i]
#+    cells[i].depth = Metres(x[i])
