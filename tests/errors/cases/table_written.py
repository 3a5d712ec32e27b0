import gpucore as gp

seen = [0, 0, 0]


@gp.kernel
def count(x: gp.In[gp.i32]):
    i = gp.global_id(0)
    seen[x[i]] += 1

# fix
#-def count(x: gp.In[gp.i32]):
#+def count(x: gp.In[gp.i32], seen: gp.InOut[gp.i32]):
