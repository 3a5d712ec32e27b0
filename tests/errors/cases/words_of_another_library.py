import gpucore as gp


@gp.kernel
def double(x: gp.InOut[gp.f32]):
    i = cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x
    if i < x.size:
        x[i] = 2.0 * x[i]


# fix
#-    i = cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x
#+    i = gp.local_id(0) + gp.workgroup_id(0) * gp.workgroup_size(0)
