import gpucore as gp


@gp.kernel
def row_sums(x: gp.In[gp.f32], sums: gp.Out[gp.f32]):
    i = gp.global_id(0)
    for j in range(x.shape[1]):
        sums[i] = x[j]

# fix
#-    for j in range(x.shape[1]):
#+    for j in range(x.shape[0]):
