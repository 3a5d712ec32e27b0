import gpucore as gp


class Scaling:
    factor = 2.0

    @gp.kernel
    def scale(self, x: gp.InOut[gp.f32]):
        i = gp.global_id(0)
        x[i] = 2.0 * x[i]


kernel = Scaling.scale

# fix
#-    @gp.kernel
#-    def scale(self, x: gp.InOut[gp.f32]):
#+    @staticmethod
#+    @gp.kernel
#+    def scale(x: gp.InOut[gp.f32]):
