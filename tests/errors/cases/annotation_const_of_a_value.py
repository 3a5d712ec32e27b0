import gpucore as gp

BINDINGS = {"n": 3}


@gp.kernel
def kernel(n: gp.Const[3], x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    x[i] = n * x[i]

# fix
#-def kernel(n: gp.Const[3], x: gp.InOut[gp.f32]):
#+def kernel(n: gp.Const[int], x: gp.InOut[gp.f32]):
