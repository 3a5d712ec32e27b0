import gpucore as gp


@gp.kernel
def grade(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    match x[i]:
        case 0:
            y[i] = 10
        case other:
            y[i] = other

# fix
#-    match x[i]:
#+    other = x[i]
#+    match other:
#-        case other:
#+        case _:
