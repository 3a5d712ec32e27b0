import gpucore as gp


@gp.struct
class Point:
    x: gp.f32
    y: gp.f32


@gp.kernel
def count(y: gp.InOut[Point]):
    gp.atomic_add(y, 0, 1.0)

# fix
#-def count(y: gp.InOut[Point]):
#+def count(y: gp.InOut[gp.u32]):
#-    gp.atomic_add(y, 0, 1.0)
#+    gp.atomic_add(y, 0, 1)
