import gpucore as gp


@gp.struct
class Particle:
    mass: gp.f32
    velocity: gp.f32

    def energy(self):
        return 0.5 * self.mass * self.velocity * self.velocity


@gp.kernel
def show(p: Particle, y: gp.Out[gp.f32]):
    y[0] = p.enrgy()

# fix
#-    y[0] = p.enrgy()
#+    y[0] = p.energy()
