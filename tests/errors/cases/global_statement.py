import gpucore as gp


count = 0


@gp.kernel
def count_positive(x: gp.In[gp.f32]):
    global count
    if x[gp.global_id(0)] > 0.0:
        count += 1

# fix
#-count = 0
#-
#-
#+...
#-def count_positive(x: gp.In[gp.f32]):
#-    global count
#+def count_positive(x: gp.In[gp.f32], count: gp.InOut[gp.i32]):
#-        count += 1
#+        gp.atomic_add(count, 0, 1)
