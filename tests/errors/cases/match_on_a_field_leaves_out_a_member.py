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
def settle(cells: gp.InOut[Cell]):
    i = gp.global_id(0)
    match cells[i].kind:
        case Kind.SOLID:
            cells[i].depth = 0.0

# fix
#-            cells[i].depth = 0.0
#+            cells[i].depth = 0.0
#+        case Kind.FLUID:
#+            pass
