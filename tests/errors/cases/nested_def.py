import gpucore as gp


@gp.kernel
def squares(x: gp.InOut[gp.f32]):
    def square(value):
        return value * value

    i = gp.global_id(0)
    x[i] = square(x[i])

# fix
#-import gpucore as gp
#+import gpucore as gp
#+
#+
#+def square(value):
#+    return value * value
#-    def square(value):
#-        return value * value
#-
#+...
