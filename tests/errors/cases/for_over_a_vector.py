import gpucore as gp


@gp.kernel
def total(v: gp.In[gp.f32x4], y: gp.Out[gp.f32]):
    vector, sum = v[0], 0.0
    for component in vector:
        sum += component
    y[0] = sum

# fix
#-    for component in vector:
#-        sum += component
#+    for i in gp.unroll(range(4)):
#+        sum += vector[i]
