import gpucore as gp


@gp.kernel
def total(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    for i in range(x.size):
        sum_so_far += x[i]
    y[0] = sum_so_far

# fix
#-def total(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
#+def total(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
#+    sum_so_far = 0.0
