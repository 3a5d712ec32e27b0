import numpy as np

import gpucore as gp

table = np.zeros(20000, np.float32)


@gp.kernel
def look_up(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    x[i] = table[i]

# fix
#-def look_up(x: gp.InOut[gp.f32]):
#+def look_up(table: gp.In[gp.f32], x: gp.InOut[gp.f32]):
