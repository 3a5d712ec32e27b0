import gpucore as gp


@gp.kernel
def clear(image: gp.Out[gp.u8]):
    image[gp.global_id(0)] = 0


def run(device):
    clear(gp.zeros(4, gp.u8, device=device), invocations=4)

# fix
#-def clear(image: gp.Out[gp.u8]):
#+def clear(image: gp.Out[gp.u32]):
#-    clear(gp.zeros(4, gp.u8, device=device), invocations=4)
#+    clear(gp.zeros(4, gp.u32, device=device), invocations=4)
