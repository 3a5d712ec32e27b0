import gpucore as gp


@gp.struct
class Particle:
    position: gp.f32
    velocity: gp.f32


@gp.kernel
def show(p: Particle, y: gp.Out[gp.f32]):
    y[0] = p.velocty

# fix
#-    y[0] = p.velocty
#+    y[0] = p.velocity
