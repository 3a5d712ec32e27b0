import gpucore as gp


@gp.kernel
def show(x: gp.In[gp.f32]):
    i = gp.global_id(0)
    print(i, x[i], sep=": ")

# fix
#-    print(i, x[i], sep=": ")
#+    print(i, x[i])
