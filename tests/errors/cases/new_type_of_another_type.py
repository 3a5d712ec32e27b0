from typing import NewType

import gpucore as gp


Metres = NewType("Metres", gp.f32)
Seconds = NewType("Seconds", gp.f32)


@gp.kernel
def length(n: gp.i32, y: gp.Out[Metres]):
    y[0] = Metres(n)

# fix
#-    y[0] = Metres(n)
#+    y[0] = Metres(gp.f32(n))
