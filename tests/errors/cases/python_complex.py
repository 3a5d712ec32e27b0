import gpucore as gp


@gp.kernel
def as_complex(x: gp.In[gp.f32], z: gp.Out[gp.f32x2]):
    i = gp.global_id(0)
    z[i] = complex(x[i], 0)

# fix
#-    z[i] = complex(x[i], 0)
#+    z[i] = gp.f32x2(x[i], 0)
