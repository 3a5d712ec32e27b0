import gpucore as gp


@gp.kernel
def kernel(v: gp.i32x2, x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    match x[0]:
        case v.x:
            y[0] = 0
        case _:
            y[0] = 1

# fix
#-    match x[0]:
#-        case v.x:
#-            y[0] = 0
#-        case _:
#-            y[0] = 1
#+    if x[0] == v.x:
#+        y[0] = 0
#+    else:
#+        y[0] = 1
