import gpucore as gp


@gp.kernel(debug=True)
def show(y: gp.InOut[gp.f32]):
    print("value: %f" % y[0])
    y[0] = 0.0

# fix
#-    print("value: %f" % y[0])
#+    print("value:", y[0])
