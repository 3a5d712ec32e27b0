import gpucore as gp


@gp.kernel
def kernel(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    if x[0] is x[1]:
        y[0] = 1

# fix
#-    if x[0] is x[1]:
#+    if x[0] == x[1]:
