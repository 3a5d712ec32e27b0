import gpucore as gp


@gp.struct
class Circle:
    r: gp.f32


@gp.struct
class Square:
    side: gp.f32


@gp.kernel
def pick(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    shape = Circle(x[i]) if i > 0 else Square(x[i])
    x[i] = shape.r

# fix
#-    shape = Circle(x[i]) if i > 0 else Square(x[i])
#+    shape = Circle(x[i]) if i > 0 else Circle(x[i])
