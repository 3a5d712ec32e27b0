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
    const unsigned int* x,
    unsigned int* __restrict__ bits,
    unsigned int* __restrict__ back,
    double* __restrict__ wide,
    long long* __restrict__ counts,
    const struct gpucore_scalars scalars)
{
    const int x_shape_0 = scalars.x_shape_0;
    const int i = (int)blockIdx.x * 64 + (int)threadIdx.x;
    if (i < x_shape_0) {
        const unsigned int x_2 = x[i];
        const unsigned int value = max(x_2, 1u);
        const unsigned int word = value ^ 2147483648u;
        bits[i] = word + __float2uint_rz((float)value * 1.5f);
        back[i] = min((unsigned int)__float2int_rz((float)value), 4294967295u);
        const double wide_2 = wide[i];
        wide[i] = wide_2 + (double)value;
        const long long counts_2 = counts[i];
        const double wide_3 = wide[i];
        counts[i] = (long long)((unsigned long long)counts_2 + ((unsigned long long)gpucore_f64_to_i64(wide_3) << 33));
    }
}
