import gpucore as gp


@gp.kernel
def start(y: gp.Out[gp.i32]):
    gp.counter = 3
    y[gp.global_id(0)] = 3

# fix
#-    gp.counter = 3
#+    counter = 3
