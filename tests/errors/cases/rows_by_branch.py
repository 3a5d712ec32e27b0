import gpucore as gp


@gp.kernel
def first_of_a_row(x: gp.In[gp.f32, 2], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    if i % 2 == 0:
        row = x[0]
    else:
        row = x[i]
    y[i] = row[0]

# fix
#-    if i % 2 == 0:
#-        row = x[0]
#-    else:
#-        row = x[i]
#+    row = x[0 if i % 2 == 0 else i]
