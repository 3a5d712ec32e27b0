import gpucore as gp


@gp.kernel
def choose(y: gp.Out[gp.i32], name: gp.Const[str]):
    y[0] = 1 if name.startswith("a") else 0


BINDINGS = {"name": "abc"}

# fix
#-    y[0] = 1 if name.startswith("a") else 0
#+    y[0] = 1 if gp.static(name.startswith("a")) else 0
