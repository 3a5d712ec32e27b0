import gpucore as gp


@gp.kernel
def product(a: gp.In[gp.f32, 2], b: gp.In[gp.f32, 2], c: gp.Out[gp.f32, 2]):
    c[0, 0] = a @ b

# fix
#-    c[0, 0] = a @ b
#+    value = 0.0
#+    for k in range(a.shape[1]):
#+        value += a[0, k] * b[k, 0]
#+    c[0, 0] = value
