import enum

import gpucore as gp


class Kind(enum.IntEnum):
    SOLID = 0
    FLUID = 1


@gp.struct
class Cell:
    kind: Kind
    depth: gp.f32


@gp.kernel
def melt(cells: gp.InOut[Cell]):
    i = gp.global_id(0)
    cells[i] = Cell(1, cells[i].depth)

# fix
#-    cells[i] = Cell(1, cells[i].depth)
#+    cells[i] = Cell(Kind.FLUID, cells[i].depth)
