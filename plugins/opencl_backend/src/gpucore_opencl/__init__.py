"""The OpenCL backend of gpucore."""
