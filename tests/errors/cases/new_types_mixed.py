from typing import NewType

import gpucore as gp


Metres = NewType("Metres", gp.f32)
Seconds = NewType("Seconds", gp.f32)


@gp.kernel
def add(a: Metres, t: Seconds, y: gp.Out[Metres]):
    y[0] = a + t

# fix
#-    y[0] = a + t
#+    y[0] = a + Metres(gp.f32(t))
