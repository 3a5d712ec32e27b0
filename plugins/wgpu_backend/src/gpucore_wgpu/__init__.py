"""The WebGPU backend of gpucore."""
