__device__ __forceinline__ float gpucore_mix_f32(float a, float b, float c)
{
    return a * (1.0f - c) + b * c;
}

__device__ __forceinline__ float gpucore_clamp_f32(float a, float b, float c)
{
    return fminf(fmaxf(a, b), c);
}

struct gpucore_scalars {
    int x_shape_0;
    int y_shape_0;
    float how_weight;
    int how_offset;
    unsigned int how_invert;
    unsigned int clamp;
    unsigned int padding_6_;
    unsigned int padding_7_;
};

extern "C" __global__ void __launch_bounds__(64) blend(
    const float* __restrict__ x,
    float* __restrict__ y,
    const struct gpucore_scalars scalars)
{
    const int x_shape_0 = scalars.x_shape_0;
    const int y_shape_0 = scalars.y_shape_0;
    const float how_weight = scalars.how_weight;
    const int how_offset = scalars.how_offset;
    const bool how_invert = scalars.how_invert != 0u;
    const bool clamp = scalars.clamp != 0u;
    const int i = (int)blockIdx.x * 64 + (int)threadIdx.x;
    if (i < y_shape_0) {
        const float x_2 = x[min((int)((unsigned int)i + (unsigned int)how_offset), x_shape_0 - 1)];
        const float value = x_2 * x_2;
        const float value_2 = how_invert ? gpucore_mix_f32(value, 1.0f - value, how_weight) : value * how_weight;
        y[i] = clamp ? gpucore_clamp_f32(value_2, 0.0f, 1.0f) : value_2;
    }
}
