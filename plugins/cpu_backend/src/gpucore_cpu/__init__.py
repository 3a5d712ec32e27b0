"""The LLVM backend of gpucore."""
