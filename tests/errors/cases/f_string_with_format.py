import gpucore as gp


@gp.kernel
def show(x: gp.In[gp.f32]):
    i = gp.global_id(0)
    print(f"x = {x[i]:.3f}")

# fix
#-    print(f"x = {x[i]:.3f}")
#+    print(f"x = {x[i]}")
