import gpucore as gp


@gp.kernel
def reverse(n: gp.i32, x: gp.InOut[gp.f32]):
    tile = gp.workgroup_array(gp.f32, n)
    k = gp.local_id(0)
    tile[k] = x[k]

# fix
#-def reverse(n: gp.i32, x: gp.InOut[gp.f32]):
#+def reverse(n: gp.Const[int], x: gp.InOut[gp.f32]):
#-    tile[k] = x[k]
#+    tile[k] = x[k]
#+
#+
#+BINDINGS = {"n": 4}
