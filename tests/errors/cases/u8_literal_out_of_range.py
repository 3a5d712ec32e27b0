import gpucore as gp


@gp.kernel
def white(image: gp.Out[gp.u8]):
    image[gp.global_id(0)] = 256

# fix
#-    image[gp.global_id(0)] = 256
#+    image[gp.global_id(0)] = 255
