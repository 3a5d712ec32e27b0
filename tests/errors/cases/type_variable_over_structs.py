from typing import TypeVar

import gpucore as gp


@gp.struct
class Point:
    x: gp.f32
    y: gp.f32


T = TypeVar("T", Point, gp.f32)


@gp.kernel
def copy(x: gp.In[T], y: gp.Out[T]):
    i = gp.global_id(0)
    y[i] = x[i]

# fix
#-T = TypeVar("T", Point, gp.f32)
#+T = TypeVar("T", gp.f32, gp.u32)
