import gpucore as gp


@gp.kernel
def find(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    for k in range(x.size):
        if x[k] == 0:
            y[0] = k
            break
    else:
        y[0] = -1

# fix
#-def find(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
#+def find(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
#+    found = False
#-            y[0] = k
#+            y[0] = k
#+            found = True
#-    else:
#+    if not found:
