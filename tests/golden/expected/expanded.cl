static inline int gpucore_byte(uint x, uint at)
{
    return (char)(x >> at);
}

static inline int gpucore_dot4_i8(uint x, uint y)
{
    return gpucore_byte(x, 0) * gpucore_byte(y, 0) + gpucore_byte(x, 8) * gpucore_byte(y, 8) + gpucore_byte(x, 16) * gpucore_byte(y, 16) + gpucore_byte(x, 24) * gpucore_byte(y, 24);
}

struct gpucore_scalars {
    int x_shape_0;
    int out_shape_1;
    int bits_shape_1;
    uint padding_3_;
};

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void expanded(
    __global const float* restrict x,
    __global const uint* restrict words,
    __global float* restrict out,
    __global uint* restrict bits,
    const struct gpucore_scalars scalars)
{
    const int x_shape_0 = scalars.x_shape_0;
    const int out_shape_1 = scalars.out_shape_1;
    const int bits_shape_1 = scalars.bits_shape_1;
    const int i = (int)get_group_id(0) * 64 + (int)get_local_id(0);
    if (i < x_shape_0) {
        const float x_2 = x[i];
        out[i] = hypot(x_2, 1.0f);
        const float x_3 = x[i];
        const float x_4 = x[i];
        out[(int)((uint)out_shape_1 + (uint)i)] = copysign(ldexp(x_3, i), cbrt(x_4));
        const float x_5 = x[i];
        const float x_6 = x[i];
        out[(int)((uint)out_shape_1 * 2u + (uint)i)] = log1p(x_5) + expm1(x_6);
        const uint words_2 = words[i];
        bits[i] = mul_hi(words_2, 10u);
        const uint words_3 = words[i];
        const uint argument = (uint)i;
        bits[(int)((uint)bits_shape_1 + (uint)i)] = (words_3 << (argument & 31)) | (words_3 >> ((0u - argument) & 31));
        const uint words_4 = words[i];
        const uint words_5 = words[0];
        bits[(int)((uint)bits_shape_1 * 2u + (uint)i)] = (words_4 & 255u) * (words_5 & 255u) + ((words_4 >> 8) & 255u) * ((words_5 >> 8) & 255u) + ((words_4 >> 16) & 255u) * ((words_5 >> 16) & 255u) + ((words_4 >> 24) & 255u) * ((words_5 >> 24) & 255u);
        const uint words_6 = words[i];
        const uint words_7 = words[0];
        bits[(int)((uint)bits_shape_1 * 3u + (uint)i)] = (uint)gpucore_dot4_i8(words_6, words_7);
    }
}
