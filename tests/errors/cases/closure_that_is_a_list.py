import gpucore as gp


def make(names):
    @gp.kernel
    def scale(x: gp.InOut[gp.f32]):
        i = gp.global_id(0)
        x[i] = 2.0 * x[i] if names[0] == "double" else x[i]

    return scale


kernel = make(["double"])

# fix
#-kernel = make(["double"])
#+kernel = make(("double",))
