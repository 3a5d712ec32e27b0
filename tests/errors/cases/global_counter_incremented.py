import gpucore as gp

COUNT = 0


@gp.kernel
def count(y: gp.Out[gp.i32]):
    COUNT += 1
    y[0] = COUNT

# fix
#-    COUNT += 1
#-    y[0] = COUNT
#+    count = COUNT + 1
#+    y[0] = count
