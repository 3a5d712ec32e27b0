import gpucore as gp


@gp.kernel
def kernel(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    match (x[0], x[1]):
        case (0, 0):
            y[0] = 0
        case _:
            y[0] = 1

# fix
#-    match (x[0], x[1]):
#-        case (0, 0):
#+    match x[0] == 0 and x[1] == 0:
#+        case True:
