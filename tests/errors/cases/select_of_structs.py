import gpucore as gp


@gp.struct
class Circle:
    r: gp.f32


@gp.kernel
def pick(x: gp.InOut[gp.f32], big: Circle):
    i = gp.global_id(0)
    shape = gp.select(i > 0, Circle(x[i]), big)
    x[i] = shape.r

# fix
#-    shape = gp.select(i > 0, Circle(x[i]), big)
#+    shape = Circle(x[i]) if i > 0 else big
