struct gpucore_scalars {
    int x_shape_0;
    unsigned int padding_1_;
    unsigned int padding_2_;
    unsigned int padding_3_;
};

extern "C" __global__ void __launch_bounds__(128) reduce_sum(
    const float* __restrict__ x,
    float* __restrict__ sums,
    const struct gpucore_scalars scalars)
{
    const int x_shape_0 = scalars.x_shape_0;
    __shared__ __align__(16) float shared[128];
    const int item = (int)blockIdx.x * 128 + (int)threadIdx.x;
    const bool condition = item < x_shape_0;
    float choice;
    if (condition) {
        const float x_2 = x[item];
        choice = x_2;
    }
    else {
        choice = 0.0f;
    }
    shared[(int)threadIdx.x] = choice;
    __syncthreads();
    int half_2 = 64;
    for (;;) {
        if (half_2 <= 0) {
            break;
        }
        if ((int)threadIdx.x < half_2) {
            const float shared_2 = shared[(int)threadIdx.x];
            const float shared_3 = shared[(int)((unsigned int)threadIdx.x + (unsigned int)half_2)];
            shared[(int)threadIdx.x] = shared_2 + shared_3;
        }
        __syncthreads();
        half_2 = half_2 >> 1;
    }
    if ((int)threadIdx.x == 0) {
        const float shared_4 = shared[0];
        sums[(int)blockIdx.x] = shared_4;
    }
}
