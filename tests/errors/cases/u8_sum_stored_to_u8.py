import gpucore as gp


@gp.kernel
def brighter(image: gp.InOut[gp.u8]):
    i = gp.global_id(0)
    image[i] = image[i] + 1

# fix
#-    image[i] = image[i] + 1
#+    image[i] = gp.u8(image[i] + 1)
