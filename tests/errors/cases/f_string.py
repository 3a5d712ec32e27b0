import gpucore as gp


@gp.kernel
def show(x: gp.In[gp.f32]):
    i = gp.global_id(0)
    print(f"x[{i}] = {x[i]}")

# fix
#-    print(f"x[{i}] = {x[i]}")
#+    print("x", i, x[i])
