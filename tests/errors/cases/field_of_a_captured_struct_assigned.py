import gpucore as gp


@gp.struct
class Settings:
    scale: gp.f32


SETTINGS = Settings(2.0)


@gp.kernel
def scale(y: gp.InOut[gp.f32]):
    SETTINGS.scale = 3.0
    y[0] *= SETTINGS.scale

# fix
#-    SETTINGS.scale = 3.0
#-    y[0] *= SETTINGS.scale
#+    factor = 3.0
#+    y[0] *= factor
