static inline float gpucore_mix_f32(float a, float b, float c)
{
    return a * (1.0f - c) + b * c;
}

static inline float gpucore_clamp_f32(float a, float b, float c)
{
    return fmin(fmax(a, b), c);
}

struct gpucore_scalars {
    int x_shape_0;
    int y_shape_0;
    float how_weight;
    int how_offset;
    uint how_invert;
    uint clamp;
    uint padding_6_;
    uint padding_7_;
};

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void blend(
    __global const float* restrict x,
    __global float* restrict y,
    const struct gpucore_scalars scalars)
{
    const int x_shape_0 = scalars.x_shape_0;
    const int y_shape_0 = scalars.y_shape_0;
    const float how_weight = scalars.how_weight;
    const int how_offset = scalars.how_offset;
    const bool how_invert = scalars.how_invert != 0;
    const bool clamp = scalars.clamp != 0;
    const int i = (int)get_group_id(0) * 64 + (int)get_local_id(0);
    if (i < y_shape_0) {
        const float x_2 = x[min((int)((uint)i + (uint)how_offset), x_shape_0 - 1)];
        const float value = x_2 * x_2;
        const float value_2 = how_invert ? gpucore_mix_f32(value, 1.0f - value, how_weight) : value * how_weight;
        y[i] = clamp ? gpucore_clamp_f32(value_2, 0.0f, 1.0f) : value_2;
    }
}
