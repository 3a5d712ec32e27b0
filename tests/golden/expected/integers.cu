__device__ __forceinline__ int gpucore_abs_i32(int a)
{
    return (int)((unsigned int)(a < 0 ? ~a : a) + (a < 0 ? 1u : 0u));
}

__device__ __forceinline__ int gpucore_floor_div_i32(int a, int b)
{
    const int divisor = b == 0 || b == -1 ? 1 : b;
    const int quotient = a / divisor;
    const int floored = a % divisor != 0 && (a < 0) != (divisor < 0) ? quotient - 1 : quotient;
    return b == -1 ? (int)(0 - (unsigned int)a) : floored;
}

__device__ __forceinline__ int gpucore_floor_mod_i32(int a, int b)
{
    const int divisor = b == 0 || b == -1 ? 1 : b;
    const int remainder = a % divisor;
    return remainder != 0 && (remainder < 0) != (divisor < 0) ? remainder + divisor : remainder;
}

__device__ __forceinline__ int gpucore_trunc_div_i32(int a, int b)
{
    const int divisor = b == 0 || b == -1 ? 1 : b;
    return b == -1 ? (int)(0 - (unsigned int)a) : a / divisor;
}

__device__ __forceinline__ int gpucore_trunc_rem_i32(int a, int b)
{
    const int divisor = b == 0 || b == -1 ? 1 : b;
    return a % divisor;
}

struct gpucore_scalars {
    int signed_shape_0;
    unsigned int padding_1_;
    unsigned int padding_2_;
    unsigned int padding_3_;
};

extern "C" __global__ void __launch_bounds__(64) integers(
    const int* __restrict__ a,
    const int* __restrict__ b,
    const unsigned int* __restrict__ c,
    int* __restrict__ signed_2,
    unsigned int* __restrict__ unsigned_2,
    const struct gpucore_scalars scalars)
{
    const int signed_shape_0 = scalars.signed_shape_0;
    const int i = (int)blockIdx.x * 64 + (int)threadIdx.x;
    if (i < signed_shape_0) {
        const int a_2 = a[i];
        const int b_2 = b[i];
        const unsigned int c_2 = c[i];
        const int item = gpucore_floor_div_i32(a_2, b_2);
        const int item_2 = gpucore_floor_mod_i32(a_2, b_2);
        const int truncated = (int)((unsigned int)gpucore_trunc_div_i32(a_2, b_2) + (unsigned int)gpucore_trunc_rem_i32(a_2, b_2));
        const int shifted = (int)((unsigned int)a_2 << (b_2 & 31)) ^ (a_2 >> ((b_2 & 7) & 31));
        signed_2[i] = (int)((unsigned int)item * (unsigned int)item_2 - (unsigned int)truncated + (unsigned int)(shifted | ~a_2) + (unsigned int)(a_2 >> 3) + (unsigned int)(b_2 & 7) - (unsigned int)gpucore_abs_i32(b_2));
        unsigned_2[i] = (((c_2 / 10u + c_2 % 10u) * 2654435761u) ^ ((c_2 >> 16) & (((unsigned int)__popc((unsigned int)(c_2))) + ((unsigned int)__clz((int)(c_2))) - ((unsigned int)__clz((int)(__brev((unsigned int)(c_2)))))))) | ((unsigned int)__brev((unsigned int)(c_2)));
    }
}
