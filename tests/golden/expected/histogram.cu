struct gpucore_scalars {
    int values_shape_0;
    unsigned int padding_1_;
    unsigned int padding_2_;
    unsigned int padding_3_;
};

extern "C" __global__ void __launch_bounds__(256) histogram(
    const unsigned int* __restrict__ values,
    volatile unsigned int* __restrict__ bins,
    volatile int* __restrict__ extremes,
    const struct gpucore_scalars scalars)
{
    const int values_shape_0 = scalars.values_shape_0;
    __shared__ __align__(16) volatile unsigned int counts[256];
    const int item = (int)blockIdx.x * 256 + (int)threadIdx.x;
    counts[(int)threadIdx.x] = 0u;
    __syncthreads();
    if (item < values_shape_0) {
        const unsigned int values_2 = values[item];
        const int value = (int)(values_2 & 255u);
        atomicAdd((unsigned int*)&counts[value], 1u);
        atomicMin((int*)&extremes[0], value);
        atomicMax((int*)&extremes[1], value);
        const int before = atomicCAS((int*)&extremes[2], 0, value + 1);
        if (before == 0) {
            atomicExch((int*)&extremes[3], item);
        }
    }
    __syncthreads();
    const unsigned int before_2 = counts[(int)threadIdx.x];
    if (before_2 > 0u) {
        atomicAdd((unsigned int*)&bins[(int)threadIdx.x], before_2);
    }
}
