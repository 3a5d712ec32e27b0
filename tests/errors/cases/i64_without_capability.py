import gpucore as gp


@gp.kernel
def square(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    y[i] = gp.i32(gp.i64(x[i]) * gp.i64(x[i]) >> 16)


def run(device):
    square(gp.zeros(4, gp.i32, device=device), gp.zeros(4, gp.i32, device=device), invocations=4)

# fix
#-    y[i] = gp.i32(gp.i64(x[i]) * gp.i64(x[i]) >> 16)
#+    y[i] = gp.i32(gp.i32(x[i]) * gp.i32(x[i]) >> 16)
