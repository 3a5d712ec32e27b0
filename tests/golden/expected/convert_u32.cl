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
    int called_workgroups;
    uint padding_2_;
    uint padding_3_;
};

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void convert(
    __global const uint* restrict x,
    __global uint* restrict bits,
    __global uint* restrict back,
    __global double* restrict wide,
    __global long* restrict counts,
    const struct gpucore_scalars scalars)
{
    const int x_shape_0 = scalars.x_shape_0;
    const int called_workgroups = scalars.called_workgroups;
    const uint group = (uint)(int)get_group_id(0) * 64u + (uint)(int)get_local_id(0);
    const uint launched = (uint)called_workgroups * 64u;
    if (group * 2u + 1u < launched && (int)(group * 2u + 1u) < x_shape_0) {
        const uint2 x_2 = ((__global const uint2*)x)[group];
        const uint4 wide_2 = ((__global uint4*)wide)[group];
        const uint4 counts_2 = ((__global uint4*)counts)[group];
        const uint value = max(x_2.x, 1u);
        const uint word = value ^ 2147483648u;
        const uint bits_2 = word + gpucore_f32_to_u32((float)value * 1.5f);
        const uint back_2 = min((uint)gpucore_f32_to_i32((float)value), 4294967295u);
        const double wide_3 = as_double(((uint2)(wide_2.x, wide_2.y)));
        const double wide_4 = wide_3 + (double)value;
        const long counts_3 = as_long(((uint2)(counts_2.x, counts_2.y)));
        const long counts_4 = (long)((ulong)counts_3 + ((ulong)gpucore_f64_to_i64(wide_4) << 33));
        const uint value_2 = max(x_2.y, 1u);
        const uint word_2 = value_2 ^ 2147483648u;
        const uint bits_3 = word_2 + gpucore_f32_to_u32((float)value_2 * 1.5f);
        const uint back_3 = min((uint)gpucore_f32_to_i32((float)value_2), 4294967295u);
        const double wide_5 = as_double(((uint2)(wide_2.z, wide_2.w)));
        const double wide_6 = wide_5 + (double)value_2;
        const long counts_5 = as_long(((uint2)(counts_2.z, counts_2.w)));
        const long counts_6 = (long)((ulong)counts_5 + ((ulong)gpucore_f64_to_i64(wide_6) << 33));
        ((__global uint2*)bits)[group] = ((uint2)(bits_2, bits_3));
        ((__global uint2*)back)[group] = ((uint2)(back_2, back_3));
        ((__global uint4*)wide)[group] = ((uint4)(as_uint2(wide_4).x, as_uint2(wide_4).y, as_uint2(wide_6).x, as_uint2(wide_6).y));
        ((__global uint4*)counts)[group] = ((uint4)(as_uint2(counts_4).x, as_uint2(counts_4).y, as_uint2(counts_6).x, as_uint2(counts_6).y));
    }
    else {
        const uint at_stop = min(launched, 2u);
        for (uint at = 0u; at < at_stop; ++at) {
            const uint element = (group + (at >> 1) * 64u) * 2u + (at & 1u);
            if (element < launched) {
                const int i = (int)element;
                if (i < x_shape_0) {
                    const uint x_3 = x[i];
                    const uint value_3 = max(x_3, 1u);
                    const uint word_3 = value_3 ^ 2147483648u;
                    bits[i] = word_3 + gpucore_f32_to_u32((float)value_3 * 1.5f);
                    back[i] = min((uint)gpucore_f32_to_i32((float)value_3), 4294967295u);
                    const double wide_7 = wide[i];
                    wide[i] = wide_7 + (double)value_3;
                    const long counts_7 = counts[i];
                    const double wide_8 = wide[i];
                    counts[i] = (long)((ulong)counts_7 + ((ulong)gpucore_f64_to_i64(wide_8) << 33));
                }
            }
        }
    }
}
