__device__ __forceinline__ float4 operator+(float4 a, float4 b)
{
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__device__ __forceinline__ float4 operator*(float4 a, float4 b)
{
    return make_float4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w);
}

__device__ __forceinline__ float4 gpucore_splat_f32x4(float a)
{
    return make_float4(a, a, a, a);
}

__device__ __forceinline__ float4 gpucore_max_f32x4(float4 a, float4 b)
{
    return make_float4(fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z), fmaxf(a.w, b.w));
}

__device__ __forceinline__ float gpucore_dot_f32x4(float4 a, float4 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

struct gpucore_scalars {
    int places_shape_0;
    float seconds;
    unsigned int padding_2_;
    unsigned int padding_3_;
};

extern "C" __global__ void __launch_bounds__(64) particles(
    float4* __restrict__ places,
    const float4* speeds,
    float* __restrict__ energies,
    const struct gpucore_scalars scalars)
{
    const int places_shape_0 = scalars.places_shape_0;
    const float seconds = scalars.seconds;
    const int i = (int)blockIdx.x * 64 + (int)threadIdx.x;
    if (i < places_shape_0) {
        const float4 places_2 = places[i];
        const float4 speeds_2 = speeds[i];
        float4 place = places_2 + speeds_2 * gpucore_splat_f32x4(seconds);
        if (place.w < 0.0f) {
            place = make_float4(place.x, place.y, place.z, 0.0f);
        }
        places[i] = gpucore_max_f32x4(place, gpucore_splat_f32x4(-1.0f));
        energies[i] = gpucore_dot_f32x4(speeds_2, speeds_2) * 0.5f + speeds_2.x;
    }
}
