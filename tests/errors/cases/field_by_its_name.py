import gpucore as gp


@gp.struct
class Point:
    x: gp.f32
    y: gp.f32


@gp.kernel
def take(points: gp.In[Point], y: gp.Out[gp.f32]):
    i = gp.global_id(0)
    y[i] = points["x"][i]

# fix
#-    y[i] = points["x"][i]
#+    y[i] = points.x[i]
