from __future__ import annotations

import gpucore as gp


@gp.kernel
def kernel(x: gp.InOut[gp.f32]) -> gp.f32:
    i = gp.global_id(0)
    x[i] = 2.0 * x[i]

# fix
#-def kernel(x: gp.InOut[gp.f32]) -> gp.f32:
#+def kernel(x: gp.InOut[gp.f32]) -> None:
