import gpucore as gp


@gp.struct
class Half:
    x: gp.f32

    def __post_init__(self):
        object.__setattr__(self, "x", self.x / 2)


@gp.kernel
def make(y: gp.Out[gp.f32]):
    half = Half(1.0)
    y[0] = half.x

# fix
#-    def __post_init__(self):
#-        object.__setattr__(self, "x", self.x / 2)
#+    @staticmethod
#+    def of(value):
#+        return Half(value / 2.0)
#-    half = Half(1.0)
#+    half = Half.of(1.0)
