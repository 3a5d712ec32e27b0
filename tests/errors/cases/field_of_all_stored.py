import gpucore as gp


@gp.struct
class Ball:
    mass: gp.f32
    speed: gp.f32


@gp.kernel
def stop(balls: gp.InOut[Ball]):
    balls.speed = 0.0

# fix
#-    balls.speed = 0.0
#+    i = gp.global_id(0)
#+    balls.speed[i] = 0.0
