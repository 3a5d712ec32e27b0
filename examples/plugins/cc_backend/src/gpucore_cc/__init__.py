"""A backend of gpucore that compiles kernels with the C compiler of the system."""
