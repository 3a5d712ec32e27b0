import gpucore as gp


@gp.struct
class Flag:
    is_set: gp.bool


@gp.kernel
def reset(flags: gp.Out[Flag]):
    flags[gp.global_id(0)] = Flag(False)

# fix
#-    is_set: gp.bool
#+    is_set: gp.u32
#-    flags[gp.global_id(0)] = Flag(False)
#+    flags[gp.global_id(0)] = Flag(0)
