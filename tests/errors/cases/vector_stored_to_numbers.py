import gpucore as gp


@gp.kernel
def take(points: gp.In[gp.f32x2], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    y[i] = points[i]

# fix
#-    y[i] = points[i]
#+    y[i] = points[i].x
