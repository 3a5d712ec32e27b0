// As much of CUDA's runtime as cub.cu uses, on the host.
#pragma once
typedef int cudaError_t;
typedef void* cudaStream_t;
inline cudaError_t cudaSetDevice(int index) { return index == 0 ? 0 : 101; }
inline const char* cudaGetErrorString(cudaError_t code) { return code == 2 ? "out of memory" : "invalid device ordinal"; }
