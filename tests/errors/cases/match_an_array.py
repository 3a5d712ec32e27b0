import gpucore as gp


@gp.kernel
def kernel(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    match x:
        case 0:
            y[0] = 0
        case _:
            y[0] = 1

# fix
#-    match x:
#+    match x[0]:
