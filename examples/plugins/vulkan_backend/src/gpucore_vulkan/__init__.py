"""The backend of gpucore on Vulkan."""
