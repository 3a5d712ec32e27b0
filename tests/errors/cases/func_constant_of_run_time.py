import gpucore as gp


@gp.func
def twice(n: gp.Const[int]):
    return 2 * n


@gp.kernel
def kernel(n: gp.i32, y: gp.Out[gp.i32]):
    y[0] = twice(n)

# fix
#-def kernel(n: gp.i32, y: gp.Out[gp.i32]):
#+def kernel(y: gp.Out[gp.i32]):
#-    y[0] = twice(n)
#+    y[0] = twice(4)
