// CUB's functions on the host, with the arguments that its documentation gives. A call with other storage than was
// asked for, or for 13 elements, is an error.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace cub {
enum { STORAGE_NBYTES = 77 };

template <typename Work>
cudaError_t run(void* storage, size_t& nbytes, long long size, Work work) {
  if (storage == nullptr) {
    nbytes = STORAGE_NBYTES;
    return 0;
  }
  if (nbytes != STORAGE_NBYTES || size == 13) return 2;
  static_cast<char*>(storage)[nbytes - 1] = 1;
  work();
  return 0;
}

struct DeviceRadixSort {
  template <typename K, typename V, typename N>
  static cudaError_t SortPairs(void* storage, size_t& nbytes, const K* keys, K* sorted_keys, const V* values,
                               V* sorted_values, N size, int begin_bit = 0, int end_bit = sizeof(K) * 8,
                               cudaStream_t = 0) {
    if (begin_bit != 0 || end_bit != 32) return 1;
    return run(storage, nbytes, size, [&] {
      std::vector<N> order(size);
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(), [&](N a, N b) { return keys[a] < keys[b]; });
      for (N i = 0; i < size; i++) {
        sorted_keys[i] = keys[order[i]];
        sorted_values[i] = values[order[i]];
      }
    });
  }
  template <typename K, typename N>
  static cudaError_t SortKeys(void* storage, size_t& nbytes, const K* keys, K* sorted_keys, N size, int begin_bit = 0,
                              int end_bit = sizeof(K) * 8, cudaStream_t = 0) {
    if (begin_bit != 0 || end_bit != 32) return 1;
    return run(storage, nbytes, size, [&] {
      std::copy(keys, keys + size, sorted_keys);
      std::sort(sorted_keys, sorted_keys + size);
    });
  }
};

struct DeviceScan {
  template <typename I, typename O, typename N>
  static cudaError_t InclusiveSum(void* storage, size_t& nbytes, I x, O sums, N size, cudaStream_t = 0) {
    return run(storage, nbytes, size, [&] { std::partial_sum(x, x + size, sums); });
  }
  template <typename I, typename O, typename N>
  static cudaError_t ExclusiveSum(void* storage, size_t& nbytes, I x, O sums, N size, cudaStream_t = 0) {
    return run(storage, nbytes, size, [&] {
      uint32_t sum = 0;
      for (N i = 0; i < size; i++) {
        sums[i] = sum;
        sum += x[i];
      }
    });
  }
};

struct DeviceReduce {
  template <typename I, typename O, typename N>
  static cudaError_t Sum(void* storage, size_t& nbytes, I x, O sum, N size, cudaStream_t = 0) {
    return run(storage, nbytes, size, [&] { *sum = std::accumulate(x, x + size, decltype(+*sum)(0)); });
  }
  template <typename I, typename E, typename P>
  static cudaError_t ArgMin(void* storage, size_t& nbytes, I x, E least, P place, int64_t size, cudaStream_t = 0) {
    return run(storage, nbytes, size, [&] {
      *place = std::min_element(x, x + size) - x;
      *least = x[*place];
    });
  }
};

struct DeviceHistogram {
  template <typename I, typename C, typename L, typename N>
  static cudaError_t HistogramEven(void* storage, size_t& nbytes, I samples, C* counts, int levels, L lower, L upper,
                                   N size, cudaStream_t = 0) {
    return run(storage, nbytes, size, [&] {
      std::fill(counts, counts + levels - 1, C(0));
      for (N i = 0; i < size; i++)
        if (samples[i] >= lower && samples[i] < upper)
          counts[(samples[i] - lower) * (levels - 1) / (upper - lower)]++;
    });
  }
};

struct DeviceSelect {
  template <typename I, typename F, typename O, typename C>
  static cudaError_t Flagged(void* storage, size_t& nbytes, I x, F flags, O chosen, C count, int64_t size,
                             cudaStream_t = 0) {
    return run(storage, nbytes, size, [&] {
      *count = 0;
      for (int64_t i = 0; i < size; i++)
        if (flags[i]) chosen[(*count)++] = x[i];
    });
  }
};
}  // namespace cub
