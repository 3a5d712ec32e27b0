import gpucore as gp


@gp.kernel
def find(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    k = 0
    while k < x.size:
        if x[k] == 0:
            break
        k += 1
    else:
        k = -1
    y[0] = k

# fix
#-    k = 0
#+    k = 0
#+    found = False
#-        if x[k] == 0:
#+        if x[k] == 0:
#+            found = True
#-    else:
#+    if not found:
