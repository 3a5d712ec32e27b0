// CUB for `gpucore bench`: device-wide algorithms on arrays of the caller, in a stream of the caller.
//
// Each function is CUB's call of that name for the element types that are measured. With storage == nullptr it only
// stores in *storage_nbytes how much temporary storage the call needs. All arrays are in the memory of the device. The
// result is a cudaError_t. Written for CUB 2 and 3: nvcc of CUDA 12 and 13.

#include <cub/device/device_histogram.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <cub/version.cuh>

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#if defined(_WIN32)
#define GPUCORE_EXPORT extern "C" __declspec(dllexport)
#else
#define GPUCORE_EXPORT extern "C" __attribute__((visibility("default")))
#endif

GPUCORE_EXPORT int gpucore_cub_version() { return CUB_VERSION; }

GPUCORE_EXPORT const char* gpucore_cub_error(int code) { return cudaGetErrorString(static_cast<cudaError_t>(code)); }

GPUCORE_EXPORT int gpucore_cub_use_device(int index) { return cudaSetDevice(index); }

GPUCORE_EXPORT int gpucore_cub_sort_keys(
    void* storage, size_t* storage_nbytes, const uint32_t* keys, uint32_t* sorted_keys, int size, cudaStream_t stream) {
  return cub::DeviceRadixSort::SortKeys(storage, *storage_nbytes, keys, sorted_keys, size, 0, 32, stream);
}

GPUCORE_EXPORT int gpucore_cub_sort_pairs(
    void* storage, size_t* storage_nbytes, const uint32_t* keys, uint32_t* sorted_keys, const uint32_t* values,
    uint32_t* sorted_values, int size, cudaStream_t stream) {
  return cub::DeviceRadixSort::SortPairs(
      storage, *storage_nbytes, keys, sorted_keys, values, sorted_values, size, 0, 32, stream);
}

// CUB's call of the name `function`, of an array `x` and one for the result, both of a type.
#define GPUCORE_OF_ONE_ARRAY(name, function, type)                                                              \
  GPUCORE_EXPORT int gpucore_cub_##name(                                                                        \
      void* storage, size_t* storage_nbytes, const type* x, type* result, int size, cudaStream_t stream) {      \
    return cub::function(storage, *storage_nbytes, x, result, size, stream);                                    \
  }

GPUCORE_OF_ONE_ARRAY(inclusive_sum, DeviceScan::InclusiveSum, uint32_t)
GPUCORE_OF_ONE_ARRAY(exclusive_sum, DeviceScan::ExclusiveSum, uint32_t)
GPUCORE_OF_ONE_ARRAY(sum_f32, DeviceReduce::Sum, float)
GPUCORE_OF_ONE_ARRAY(sum_u32, DeviceReduce::Sum, uint32_t)

#if CUB_VERSION >= 200800
GPUCORE_EXPORT int gpucore_cub_argmin(
    void* storage, size_t* storage_nbytes, const float* x, float* least, int64_t* place, int size,
    cudaStream_t stream) {
  return cub::DeviceReduce::ArgMin(storage, *storage_nbytes, x, least, place, static_cast<int64_t>(size), stream);
}
#endif

// The number of samples that are in each of `bins` intervals of one width; sample k is in interval k of `bins`.
GPUCORE_EXPORT int gpucore_cub_histogram(
    void* storage, size_t* storage_nbytes, const uint32_t* samples, uint32_t* counts, uint32_t bins, int size,
    cudaStream_t stream) {
  return cub::DeviceHistogram::HistogramEven(
      storage, *storage_nbytes, samples, counts, static_cast<int>(bins) + 1, 0u, bins, size, stream);
}

// The elements whose flag is not 0, in order, and how many there are.
GPUCORE_EXPORT int gpucore_cub_flagged(
    void* storage, size_t* storage_nbytes, const uint32_t* x, const uint8_t* flags, uint32_t* chosen, int* count,
    int size, cudaStream_t stream) {
  return cub::DeviceSelect::Flagged(storage, *storage_nbytes, x, flags, chosen, count, size, stream);
}
