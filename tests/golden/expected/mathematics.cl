#pragma OPENCL EXTENSION cl_khr_fp16 : enable

static inline float gpucore_fract_f32(float a)
{
    return a - floor(a);
}

static inline float gpucore_clamp_f32(float a, float b, float c)
{
    return fmin(fmax(a, b), c);
}

static inline float gpucore_sign_f32(float a)
{
    return a < 0.0f ? -1.0f : (a > 0.0f ? 1.0f : 0.0f);
}

static inline float gpucore_step_f32(float a, float b)
{
    return b >= a ? 1.0f : 0.0f;
}

struct gpucore_scalars {
    int out_shape_0;
    uint padding_1_;
    uint padding_2_;
    uint padding_3_;
};

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void mathematics(
    __global const float* restrict x,
    __global const float* restrict y,
    __global float* restrict out,
    __global half* restrict half_2,
    const struct gpucore_scalars scalars)
{
    const int out_shape_0 = scalars.out_shape_0;
    const int i = (int)get_group_id(0) * 64 + (int)get_local_id(0);
    if (i < out_shape_0) {
        const float x_2 = x[i];
        const float y_2 = y[i];
        const float total = sqrt(fabs(x_2)) + rsqrt(fabs(y_2) + 1.0f) + floor(x_2) - ceil(y_2) + rint(x_2) + trunc(y_2) + gpucore_fract_f32(x_2);
        const float total_2 = total + (sin(x_2) * cos(y_2) + tan(x_2) + asin(gpucore_clamp_f32(x_2, -1.0f, 1.0f)) + acos(gpucore_clamp_f32(y_2, -1.0f, 1.0f)));
        const float total_3 = total_2 + (atan(x_2) + atan2(x_2, y_2) + sinh(x_2) + cosh(y_2) + tanh(x_2));
        const float total_4 = total_3 + (exp(x_2) + exp2(y_2) + log(fabs(x_2) + 1.0f) + log2(fabs(y_2) + 1.0f) + pow(fabs(x_2), y_2));
        const float total_5 = total_4 + (fma(x_2, y_2, total_4) + gpucore_sign_f32(x_2) + gpucore_step_f32(x_2, y_2) + fmin(x_2, y_2) * fmax(x_2, y_2) / (y_2 + 3.0f));
        const float total_6 = (isnan(total_5) != 0) || (isinf(total_5) != 0) ? 0.0f : total_5;
        out[i] = total_6;
        half_2[i] = (half)total_6;
    }
}
