import gpucore as gp


@gp.kernel
def scale(x: gp.InOut[gp.f32]):
    class Point:
        factor = 2.0

    i = gp.global_id(0)
    x[i] = Point.factor * x[i]

# fix
#-import gpucore as gp
#+import gpucore as gp
#+
#+
#+class Point:
#+    factor = 2.0
#-    class Point:
#-        factor = 2.0
#-
#+...
