import gpucore as gp


@gp.kernel
def brighter(image: gp.InOut[gp.u8], n: gp.i32):
    i = gp.global_id(0)
    image[i] += n

# fix
#-    image[i] += n
#+    image[i] = gp.u8(image[i] + gp.u32(n))
