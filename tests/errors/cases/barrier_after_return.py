import gpucore as gp


@gp.kernel
def reverse(x: gp.InOut[gp.f32]):
    tile = gp.workgroup_array(gp.f32, 256)
    i = gp.global_id(0)
    k = gp.local_id(0)
    if i >= x.size:
        return
    tile[k] = x[i]
    gp.barrier()
    x[i] = tile[255 - k]

# fix
#-    if i >= x.size:
#-        return
#-    tile[k] = x[i]
#+    if i < x.size:
#+        tile[k] = x[i]
#-    x[i] = tile[255 - k]
#+    if i < x.size:
#+        x[i] = tile[255 - k]
