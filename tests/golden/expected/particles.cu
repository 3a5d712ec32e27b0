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
    int called_workgroups;
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
    const int called_workgroups = scalars.called_workgroups;
    const unsigned int group = (unsigned int)(int)blockIdx.x * 128u + (unsigned int)(int)threadIdx.x;
    const unsigned int launched = (unsigned int)called_workgroups * 64u;
    if (group + 64u < launched && (int)(group + 64u) < places_shape_0) {
        const unsigned int group_2 = group + 64u;
        const float4 places_2 = places[(int)group];
        const float4 speeds_2 = speeds[(int)group];
        const float4 places_3 = places[(int)group_2];
        const float4 speeds_3 = speeds[(int)group_2];
        float4 place = places_2 + speeds_2 * gpucore_splat_f32x4(seconds);
        if (place.w < 0.0f) {
            place = make_float4(place.x, place.y, place.z, 0.0f);
        }
        const float4 places_4 = gpucore_max_f32x4(place, gpucore_splat_f32x4(-1.0f));
        const float energies_2 = gpucore_dot_f32x4(speeds_2, speeds_2) * 0.5f + speeds_2.x;
        float4 place_2 = places_3 + speeds_3 * gpucore_splat_f32x4(seconds);
        if (place_2.w < 0.0f) {
            place_2 = make_float4(place_2.x, place_2.y, place_2.z, 0.0f);
        }
        const float4 places_5 = gpucore_max_f32x4(place_2, gpucore_splat_f32x4(-1.0f));
        const float energies_3 = gpucore_dot_f32x4(speeds_3, speeds_3) * 0.5f + speeds_3.x;
        places[(int)group] = places_4;
        energies[(int)group] = energies_2;
        places[(int)group_2] = places_5;
        energies[(int)group_2] = energies_3;
    }
    else {
        const unsigned int at_stop = min(launched, 2u);
        for (unsigned int at = 0u; at < at_stop; ++at) {
            const unsigned int element = group + at * 64u;
            if (element < launched) {
                const int i = (int)element;
                if (i < places_shape_0) {
                    const float4 places_6 = places[i];
                    const float4 speeds_4 = speeds[i];
                    float4 place_3 = places_6 + speeds_4 * gpucore_splat_f32x4(seconds);
                    if (place_3.w < 0.0f) {
                        place_3 = make_float4(place_3.x, place_3.y, place_3.z, 0.0f);
                    }
                    places[i] = gpucore_max_f32x4(place_3, gpucore_splat_f32x4(-1.0f));
                    energies[i] = gpucore_dot_f32x4(speeds_4, speeds_4) * 0.5f + speeds_4.x;
                }
            }
        }
    }
}
