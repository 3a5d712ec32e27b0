import gpucore as gp


@gp.kernel
def kernel(x: gp.Out[gp.i32]):
    i = gp.global_id(0)
    x[i] = gp.dot4_i8_packed(-1, 0x01020304)

# fix
#-    x[i] = gp.dot4_i8_packed(-1, 0x01020304)
#+    x[i] = gp.dot4_i8_packed(4294967295, 0x01020304)
