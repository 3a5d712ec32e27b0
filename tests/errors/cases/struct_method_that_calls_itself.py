import gpucore as gp


@gp.struct
class Point:
    x: gp.f32

    def norm(self):
        return self.norm()


@gp.kernel
def count(p: Point, y: gp.Out[gp.f32]):
    y[0] = p.norm()

# fix
#-        return self.norm()
#+        return gp.sqrt(self.x * self.x)
