struct gpucore_scalars {
    int x_shape_0;
    uint padding_1_;
    uint padding_2_;
    uint padding_3_;
};

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void polynomial(
    __global const float* restrict x,
    __global float* restrict y,
    __global const uint* restrict picks,
    const struct gpucore_scalars scalars)
{
    const int x_shape_0 = scalars.x_shape_0;
    const int i = (int)get_group_id(0) * 64 + (int)get_local_id(0);
    if (i < x_shape_0) {
        const float x_2 = x[i];
        const float x_3 = x[i];
        const float powers_2 = x_2 * x_3;
        const float x_4 = x[i];
        const float powers_3 = powers_2 * x_4;
        const float total = 1.0f + x_2 * 0.5f;
        const float total_2 = total + powers_2 * 0.25f;
        const float total_3 = total_2 + powers_3 * 0.125f;
        float table[8] = {0};
        for (int k = 0; k < 8; ++k) {
            table[k] = total_3 + (float)k;
        }
        const uint picks_2 = picks[i];
        const float table_2 = table[(int)(picks_2 & 7u)];
        y[i] = table_2;
    }
}
