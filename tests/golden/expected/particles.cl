static inline float gpucore_dot_f32x4(float4 a, float4 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

struct gpucore_scalars {
    int places_shape_0;
    float seconds;
    int called_workgroups;
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
    const int called_workgroups = scalars.called_workgroups;
    const uint group = (uint)(int)get_group_id(0) * 128u + (uint)(int)get_local_id(0);
    const uint launched = (uint)called_workgroups * 64u;
    if (group + 64u < launched && (int)(group + 64u) < places_shape_0) {
        const uint group_2 = group + 64u;
        const float4 places_2 = places[(int)group];
        const float4 speeds_2 = speeds[(int)group];
        const float4 places_3 = places[(int)group_2];
        const float4 speeds_3 = speeds[(int)group_2];
        float4 place = places_2 + speeds_2 * ((float4)(seconds));
        if (place.w < 0.0f) {
            place = ((float4)(place.x, place.y, place.z, 0.0f));
        }
        const float4 places_4 = fmax(place, ((float4)(-1.0f)));
        const float energies_2 = gpucore_dot_f32x4(speeds_2, speeds_2) * 0.5f + speeds_2.x;
        float4 place_2 = places_3 + speeds_3 * ((float4)(seconds));
        if (place_2.w < 0.0f) {
            place_2 = ((float4)(place_2.x, place_2.y, place_2.z, 0.0f));
        }
        const float4 places_5 = fmax(place_2, ((float4)(-1.0f)));
        const float energies_3 = gpucore_dot_f32x4(speeds_3, speeds_3) * 0.5f + speeds_3.x;
        places[(int)group] = places_4;
        energies[(int)group] = energies_2;
        places[(int)group_2] = places_5;
        energies[(int)group_2] = energies_3;
    }
    else {
        const uint at_stop = min(launched, 2u);
        for (uint at = 0u; at < at_stop; ++at) {
            const uint element = group + at * 64u;
            if (element < launched) {
                const int i = (int)element;
                if (i < places_shape_0) {
                    const float4 places_6 = places[i];
                    const float4 speeds_4 = speeds[i];
                    float4 place_3 = places_6 + speeds_4 * ((float4)(seconds));
                    if (place_3.w < 0.0f) {
                        place_3 = ((float4)(place_3.x, place_3.y, place_3.z, 0.0f));
                    }
                    places[i] = fmax(place_3, ((float4)(-1.0f)));
                    energies[i] = gpucore_dot_f32x4(speeds_4, speeds_4) * 0.5f + speeds_4.x;
                }
            }
        }
    }
}
