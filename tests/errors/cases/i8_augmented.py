import gpucore as gp


@gp.kernel
def brighter(image: gp.InOut[gp.i8]):
    i = gp.global_id(0)
    image[i] += 1

# fix
#-    image[i] += 1
#+    image[i] = gp.i8(image[i] + 1)
