static inline float gpucore_dot_f32x4(float4 a, float4 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

struct gpucore_scalars {
    int places_shape_0;
    float seconds;
    uint padding_2_;
    uint padding_3_;
};

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void particles(
    __global float4* restrict places,
    __global const float4* restrict speeds,
    __global float* restrict energies,
    const struct gpucore_scalars scalars)
{
    const int places_shape_0 = scalars.places_shape_0;
    const float seconds = scalars.seconds;
    const int i = (int)get_group_id(0) * 64 + (int)get_local_id(0);
    if (i < places_shape_0) {
        const float4 places_2 = places[i];
        const float4 speeds_2 = speeds[i];
        float4 place = places_2 + speeds_2 * ((float4)(seconds));
        if (place.w < 0.0f) {
            place = ((float4)(place.x, place.y, place.z, 0.0f));
        }
        places[i] = fmax(place, ((float4)(-1.0f)));
        energies[i] = gpucore_dot_f32x4(speeds_2, speeds_2) * 0.5f + speeds_2.x;
    }
}
