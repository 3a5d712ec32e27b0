__device__ __forceinline__ long long gpucore_f64_to_i64(double x)
{
    return x == x ? __double2ll_rz(x) : 0;
}

struct gpucore_scalars {
    int x_shape_0;
    unsigned int padding_1_;
    unsigned int padding_2_;
    unsigned int padding_3_;
};

extern "C" __global__ void __launch_bounds__(64) convert(
    const float* x,
    unsigned int* __restrict__ bits,
    float* __restrict__ back,
    double* __restrict__ wide,
    long long* __restrict__ counts,
    const struct gpucore_scalars scalars)
{
    const int x_shape_0 = scalars.x_shape_0;
    const int i = (int)blockIdx.x * 64 + (int)threadIdx.x;
    if (i < x_shape_0) {
        const float x_2 = x[i];
        const float value = fmaxf(x_2, 1.0f);
        const unsigned int word = __float_as_uint(value) ^ 2147483648u;
        bits[i] = word + __float2uint_rz(value * 1.5f);
        back[i] = fminf((float)__float2int_rz(value), 3.4028235e+38f);
        const double wide_2 = wide[i];
        wide[i] = wide_2 + (double)value;
        const long long counts_2 = counts[i];
        const double wide_3 = wide[i];
        counts[i] = (long long)((unsigned long long)counts_2 + ((unsigned long long)gpucore_f64_to_i64(wide_3) << 33));
    }
}
