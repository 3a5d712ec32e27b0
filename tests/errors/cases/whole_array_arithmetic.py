import gpucore as gp


@gp.kernel
def saxpy(a: gp.f32, x: gp.In[gp.f32], y: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    y[i] = a * x + y

# fix
#-    y[i] = a * x + y
#+    y[i] = a * x[i] + y[i]
