import gpucore as gp


exec(
    """
def double(x: gp.InOut[gp.f32]):
    i = gp.global_id(0)
    x[i] = 2.0 * x[i]
"""
)
kernel = gp.kernel(double)

# fix
#-exec(
#+kernel = gp.kernel_from_text(
#-kernel = gp.kernel(double)
#+...
