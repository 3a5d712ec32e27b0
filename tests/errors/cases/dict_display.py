import gpucore as gp


@gp.kernel
def scale(x: gp.InOut[gp.f32]):
    options = {"factor": 2.0}
    i = gp.global_id(0)
    x[i] = options["factor"] * x[i]

# fix
#-import gpucore as gp
#+import gpucore as gp
#+
#+
#+@gp.struct
#+class Options:
#+    factor: gp.f32
#-    options = {"factor": 2.0}
#+    options = Options(factor=2.0)
#-    x[i] = options["factor"] * x[i]
#+    x[i] = options.factor * x[i]
