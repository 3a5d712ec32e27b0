import gpucore as gp


@gp.kernel
def sort_rows(x: gp.InOut[gp.f32]):
    gp.sort(x)

# fix
#-    gp.sort(x)
#+    i = gp.global_id(0)
#+    x[i] = 2.0 * x[i]
