import numpy as np

import gpucore as gp


@gp.kernel
def as_complex(x: gp.In[gp.f32], z: gp.Out[gp.f32x2]):
    i = gp.global_id(0)
    z[i] = np.complex64(x[i])

# fix
#-    z[i] = np.complex64(x[i])
#+    z[i] = gp.f32x2(x[i], 0.0)
