import gpucore as gp


@gp.kernel
def mark(at: gp.In[gp.i32x2], start: gp.i32x2, end: gp.i32x2, y: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    if at[i] in (start, end):
        y[i] = 1

# fix
#-    if at[i] in (start, end):
#+    if gp.all(at[i] == start) or gp.all(at[i] == end):
