"""The CUDA backend of gpucore."""
