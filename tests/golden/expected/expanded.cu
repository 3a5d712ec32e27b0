__device__ __forceinline__ int gpucore_dot4_i8(unsigned int x, unsigned int y)
{
#if __CUDA_ARCH__ >= 610
    return __dp4a((int)x, (int)y, (int)0);
#else
    return (int)(signed char)(x >> 0) * (int)(signed char)(y >> 0) + (int)(signed char)(x >> 8) * (int)(signed char)(y >> 8) + (int)(signed char)(x >> 16) * (int)(signed char)(y >> 16) + (int)(signed char)(x >> 24) * (int)(signed char)(y >> 24);
#endif
}

__device__ __forceinline__ unsigned int gpucore_dot4_u8(unsigned int x, unsigned int y)
{
#if __CUDA_ARCH__ >= 610
    return __dp4a((unsigned int)x, (unsigned int)y, (unsigned int)0);
#else
    return (unsigned int)(unsigned char)(x >> 0) * (unsigned int)(unsigned char)(y >> 0) + (unsigned int)(unsigned char)(x >> 8) * (unsigned int)(unsigned char)(y >> 8) + (unsigned int)(unsigned char)(x >> 16) * (unsigned int)(unsigned char)(y >> 16) + (unsigned int)(unsigned char)(x >> 24) * (unsigned int)(unsigned char)(y >> 24);
#endif
}

struct gpucore_scalars {
    int x_shape_0;
    int out_shape_1;
    int bits_shape_1;
    unsigned int padding_3_;
};

extern "C" __global__ void __launch_bounds__(64) expanded(
    const float* __restrict__ x,
    const unsigned int* __restrict__ words,
    float* __restrict__ out,
    unsigned int* __restrict__ bits,
    const struct gpucore_scalars scalars)
{
    const int x_shape_0 = scalars.x_shape_0;
    const int out_shape_1 = scalars.out_shape_1;
    const int bits_shape_1 = scalars.bits_shape_1;
    const int i = (int)blockIdx.x * 64 + (int)threadIdx.x;
    if (i < x_shape_0) {
        const float x_2 = x[i];
        out[i] = hypotf(x_2, 1.0f);
        const float x_3 = x[i];
        const float x_4 = x[i];
        out[(int)((unsigned int)out_shape_1 + (unsigned int)i)] = copysignf(ldexpf(x_3, i), cbrtf(x_4));
        const float x_5 = x[i];
        const float x_6 = x[i];
        out[(int)((unsigned int)out_shape_1 * 2u + (unsigned int)i)] = log1pf(x_5) + expm1f(x_6);
        const unsigned int words_2 = words[i];
        bits[i] = __umulhi(words_2, 10u);
        const unsigned int words_3 = words[i];
        const unsigned int argument = (unsigned int)i;
        bits[(int)((unsigned int)bits_shape_1 + (unsigned int)i)] = (words_3 << (argument & 31)) | (words_3 >> ((0u - argument) & 31));
        const unsigned int words_4 = words[i];
        const unsigned int words_5 = words[0];
        bits[(int)((unsigned int)bits_shape_1 * 2u + (unsigned int)i)] = gpucore_dot4_u8(words_4, words_5);
        const unsigned int words_6 = words[i];
        const unsigned int words_7 = words[0];
        bits[(int)((unsigned int)bits_shape_1 * 3u + (unsigned int)i)] = (unsigned int)gpucore_dot4_i8(words_6, words_7);
    }
}
