import gpucore as gp


def exchange(tile, k, value):
    tile[k] = value
    gp.barrier()
    return tile[255 - k]


@gp.kernel
def reverse(x: gp.InOut[gp.f32]):
    tile = gp.workgroup_array(gp.f32, 256)
    i = gp.global_id(0)
    if i < x.size:
        x[i] = exchange(tile, gp.local_id(0), x[i])

# fix
#-    i = gp.global_id(0)
#+    i = gp.global_id(0)
#+    value = 0.0
#-        x[i] = exchange(tile, gp.local_id(0), x[i])
#+        value = x[i]
#+    value = exchange(tile, gp.local_id(0), value)
#+    if i < x.size:
#+        x[i] = value
