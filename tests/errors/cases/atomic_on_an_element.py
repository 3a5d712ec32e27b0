import gpucore as gp


@gp.kernel
def histogram(x: gp.In[gp.i32], counts: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    gp.atomic_add(counts[x[i]], 1, 1)

# fix
#-    gp.atomic_add(counts[x[i]], 1, 1)
#+    gp.atomic_add(counts, x[i], 1)
