struct __align__(2) gpucore_f16 { unsigned short bits; };
__device__ __forceinline__ gpucore_f16 gpucore_f16_from_bits(unsigned int bits) { return gpucore_f16{(unsigned short)bits}; }
__device__ __forceinline__ float gpucore_f16_to_f32(gpucore_f16 x) { float result; asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(x.bits)); return result; }
__device__ __forceinline__ gpucore_f16 gpucore_f32_to_f16(float x) { gpucore_f16 result; asm("cvt.rn.f16.f32 %0, %1;" : "=h"(result.bits) : "f"(x)); return result; }
__device__ __forceinline__ gpucore_f16 operator+(gpucore_f16 a, gpucore_f16 b) { gpucore_f16 result; asm("add.f16 %0, %1, %2;" : "=h"(result.bits) : "h"(a.bits), "h"(b.bits)); return result; }
__device__ __forceinline__ gpucore_f16 operator-(gpucore_f16 a, gpucore_f16 b) { gpucore_f16 result; asm("sub.f16 %0, %1, %2;" : "=h"(result.bits) : "h"(a.bits), "h"(b.bits)); return result; }
__device__ __forceinline__ gpucore_f16 operator*(gpucore_f16 a, gpucore_f16 b) { gpucore_f16 result; asm("mul.f16 %0, %1, %2;" : "=h"(result.bits) : "h"(a.bits), "h"(b.bits)); return result; }
__device__ __forceinline__ gpucore_f16 operator/(gpucore_f16 a, gpucore_f16 b) { return gpucore_f32_to_f16(gpucore_f16_to_f32(a) / gpucore_f16_to_f32(b)); }
__device__ __forceinline__ gpucore_f16 operator-(gpucore_f16 a) { return gpucore_f16_from_bits(a.bits ^ 0x8000u); }
__device__ __forceinline__ bool operator==(gpucore_f16 a, gpucore_f16 b) { return gpucore_f16_to_f32(a) == gpucore_f16_to_f32(b); }
__device__ __forceinline__ bool operator!=(gpucore_f16 a, gpucore_f16 b) { return gpucore_f16_to_f32(a) != gpucore_f16_to_f32(b); }
__device__ __forceinline__ bool operator<(gpucore_f16 a, gpucore_f16 b) { return gpucore_f16_to_f32(a) < gpucore_f16_to_f32(b); }
__device__ __forceinline__ bool operator<=(gpucore_f16 a, gpucore_f16 b) { return gpucore_f16_to_f32(a) <= gpucore_f16_to_f32(b); }
__device__ __forceinline__ bool operator>(gpucore_f16 a, gpucore_f16 b) { return gpucore_f16_to_f32(a) > gpucore_f16_to_f32(b); }
__device__ __forceinline__ bool operator>=(gpucore_f16 a, gpucore_f16 b) { return gpucore_f16_to_f32(a) >= gpucore_f16_to_f32(b); }

__device__ __forceinline__ float gpucore_exp2(float x)
{
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

__device__ __forceinline__ float gpucore_fract_f32(float a)
{
    return a - floorf(a);
}

__device__ __forceinline__ float gpucore_clamp_f32(float a, float b, float c)
{
    return fminf(fmaxf(a, b), c);
}

__device__ __forceinline__ float gpucore_sign_f32(float a)
{
    return a < 0.0f ? -1.0f : (a > 0.0f ? 1.0f : 0.0f);
}

__device__ __forceinline__ float gpucore_step_f32(float a, float b)
{
    return b >= a ? 1.0f : 0.0f;
}

__device__ __forceinline__ bool gpucore_isnan_f32(float a)
{
    return a != a;
}

__device__ __forceinline__ bool gpucore_isinf_f32(float a)
{
    return fabsf(a) == __uint_as_float(0x7f800000u);
}

struct gpucore_scalars {
    int out_shape_0;
    unsigned int padding_1_;
    unsigned int padding_2_;
    unsigned int padding_3_;
};

extern "C" __global__ void __launch_bounds__(64) mathematics(
    const float* __restrict__ x,
    const float* __restrict__ y,
    float* __restrict__ out,
    gpucore_f16* __restrict__ half_2,
    const struct gpucore_scalars scalars)
{
    const int out_shape_0 = scalars.out_shape_0;
    const int i = (int)blockIdx.x * 64 + (int)threadIdx.x;
    if (i < out_shape_0) {
        const float x_2 = x[i];
        const float y_2 = y[i];
        const float total = sqrtf(fabsf(x_2)) + rsqrtf(fabsf(y_2) + 1.0f) + floorf(x_2) - ceilf(y_2) + rintf(x_2) + truncf(y_2) + gpucore_fract_f32(x_2);
        const float total_2 = total + (sinf(x_2) * cosf(y_2) + tanf(x_2) + asinf(gpucore_clamp_f32(x_2, -1.0f, 1.0f)) + acosf(gpucore_clamp_f32(y_2, -1.0f, 1.0f)));
        const float total_3 = total_2 + (atanf(x_2) + atan2f(x_2, y_2) + sinhf(x_2) + coshf(y_2) + tanhf(x_2));
        const float total_4 = total_3 + (expf(x_2) + gpucore_exp2(y_2) + logf(fabsf(x_2) + 1.0f) + log2f(fabsf(y_2) + 1.0f) + powf(fabsf(x_2), y_2));
        const float total_5 = total_4 + (fmaf(x_2, y_2, total_4) + gpucore_sign_f32(x_2) + gpucore_step_f32(x_2, y_2) + fminf(x_2, y_2) * fmaxf(x_2, y_2) / (y_2 + 3.0f));
        const float total_6 = gpucore_isnan_f32(total_5) || gpucore_isinf_f32(total_5) ? 0.0f : total_5;
        out[i] = total_6;
        half_2[i] = gpucore_f32_to_f16(total_6);
    }
}
