import gpucore as gp


@gp.kernel
def ends(x: gp.InOut[gp.f32]):
    tile = gp.workgroup_array(gp.f32, 256)
    k = gp.local_id(0)
    tile[k] = x[k]
    gp.barrier()
    last = gp.i32(255)
    last = last + 1
    x[k] = tile[last]

# fix
#-    last = last + 1
#+...
