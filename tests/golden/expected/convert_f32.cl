#pragma OPENCL EXTENSION cl_khr_fp64 : enable

static inline int gpucore_f32_to_i32(float x)
{
    return isnan(x) ? 0 : convert_int_sat_rtz(x);
}

static inline uint gpucore_f32_to_u32(float x)
{
    return isnan(x) ? 0 : convert_uint_sat_rtz(x);
}

static inline long gpucore_f64_to_i64(double x)
{
    return isnan(x) ? 0 : convert_long_sat_rtz(x);
}

struct gpucore_scalars {
    int x_shape_0;
    uint padding_1_;
    uint padding_2_;
    uint padding_3_;
};

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void convert(
    __global const float* restrict x,
    __global uint* restrict bits,
    __global float* restrict back,
    __global double* restrict wide,
    __global long* restrict counts,
    const struct gpucore_scalars scalars)
{
    const int x_shape_0 = scalars.x_shape_0;
    const int i = (int)get_group_id(0) * 64 + (int)get_local_id(0);
    if (i < x_shape_0) {
        const float x_2 = x[i];
        const float value = fmax(x_2, 1.0f);
        const uint word = as_uint(value) ^ 2147483648u;
        bits[i] = word + gpucore_f32_to_u32(value * 1.5f);
        back[i] = fmin((float)gpucore_f32_to_i32(value), 3.4028235e+38f);
        const double wide_2 = wide[i];
        wide[i] = wide_2 + (double)value;
        const long counts_2 = counts[i];
        const double wide_3 = wide[i];
        counts[i] = (long)((ulong)counts_2 + ((ulong)gpucore_f64_to_i64(wide_3) << 33));
    }
}
