import enum

import gpucore as gp


class Kind(enum.IntEnum):
    SOLID = 0
    FLUID = 1


@gp.struct
class Cell:
    depth: gp.f32
    kind: Kind = 0


@gp.kernel
def fill(cells: gp.Out[Cell]):
    cells[gp.global_id(0)] = Cell(1.0)

# fix
#-    kind: Kind = 0
#+    kind: Kind = Kind.SOLID
