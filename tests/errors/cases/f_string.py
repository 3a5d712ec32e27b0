import gpucore as gp


@gp.kernel
def show(x: gp.In[gp.f32]):
    i = gp.global_id(0)
    text = f"x[{i}] = {x[i]}"
    print(text)

# fix
#-    text = f"x[{i}] = {x[i]}"
#-    print(text)
#+    print(f"x[{i}] = {x[i]}")
