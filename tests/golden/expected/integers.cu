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
    int called_workgroups;
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
    const int called_workgroups = scalars.called_workgroups;
    const unsigned int group = (unsigned int)(int)blockIdx.x * 64u + (unsigned int)(int)threadIdx.x;
    const unsigned int launched = (unsigned int)called_workgroups * 64u;
    if (group * 4u + 3u < launched && (int)(group * 4u + 3u) < signed_shape_0) {
        const int4 a_2 = ((const int4*)a)[group];
        const int4 b_2 = ((const int4*)b)[group];
        const uint4 c_2 = ((const uint4*)c)[group];
        const int item = gpucore_floor_div_i32(a_2.x, b_2.x);
        const int item_2 = gpucore_floor_mod_i32(a_2.x, b_2.x);
        const int truncated = (int)((unsigned int)gpucore_trunc_div_i32(a_2.x, b_2.x) + (unsigned int)gpucore_trunc_rem_i32(a_2.x, b_2.x));
        const int shifted = (int)((unsigned int)a_2.x << (b_2.x & 31)) ^ (a_2.x >> ((b_2.x & 7) & 31));
        const int signed_3 = (int)((unsigned int)item * (unsigned int)item_2 - (unsigned int)truncated + (unsigned int)(shifted | ~a_2.x) + (unsigned int)(a_2.x >> 3) + (unsigned int)(b_2.x & 7) - (unsigned int)gpucore_abs_i32(b_2.x));
        const unsigned int unsigned_3 = (((c_2.x / 10u + c_2.x % 10u) * 2654435761u) ^ ((c_2.x >> 16) & (((unsigned int)__popc((unsigned int)(c_2.x))) + ((unsigned int)__clz((int)(c_2.x))) - ((unsigned int)__clz((int)(__brev((unsigned int)(c_2.x)))))))) | ((unsigned int)__brev((unsigned int)(c_2.x)));
        const int item_3 = gpucore_floor_div_i32(a_2.y, b_2.y);
        const int item_4 = gpucore_floor_mod_i32(a_2.y, b_2.y);
        const int truncated_2 = (int)((unsigned int)gpucore_trunc_div_i32(a_2.y, b_2.y) + (unsigned int)gpucore_trunc_rem_i32(a_2.y, b_2.y));
        const int shifted_2 = (int)((unsigned int)a_2.y << (b_2.y & 31)) ^ (a_2.y >> ((b_2.y & 7) & 31));
        const int signed_4 = (int)((unsigned int)item_3 * (unsigned int)item_4 - (unsigned int)truncated_2 + (unsigned int)(shifted_2 | ~a_2.y) + (unsigned int)(a_2.y >> 3) + (unsigned int)(b_2.y & 7) - (unsigned int)gpucore_abs_i32(b_2.y));
        const unsigned int unsigned_4 = (((c_2.y / 10u + c_2.y % 10u) * 2654435761u) ^ ((c_2.y >> 16) & (((unsigned int)__popc((unsigned int)(c_2.y))) + ((unsigned int)__clz((int)(c_2.y))) - ((unsigned int)__clz((int)(__brev((unsigned int)(c_2.y)))))))) | ((unsigned int)__brev((unsigned int)(c_2.y)));
        const int item_5 = gpucore_floor_div_i32(a_2.z, b_2.z);
        const int item_6 = gpucore_floor_mod_i32(a_2.z, b_2.z);
        const int truncated_3 = (int)((unsigned int)gpucore_trunc_div_i32(a_2.z, b_2.z) + (unsigned int)gpucore_trunc_rem_i32(a_2.z, b_2.z));
        const int shifted_3 = (int)((unsigned int)a_2.z << (b_2.z & 31)) ^ (a_2.z >> ((b_2.z & 7) & 31));
        const int signed_5 = (int)((unsigned int)item_5 * (unsigned int)item_6 - (unsigned int)truncated_3 + (unsigned int)(shifted_3 | ~a_2.z) + (unsigned int)(a_2.z >> 3) + (unsigned int)(b_2.z & 7) - (unsigned int)gpucore_abs_i32(b_2.z));
        const unsigned int unsigned_5 = (((c_2.z / 10u + c_2.z % 10u) * 2654435761u) ^ ((c_2.z >> 16) & (((unsigned int)__popc((unsigned int)(c_2.z))) + ((unsigned int)__clz((int)(c_2.z))) - ((unsigned int)__clz((int)(__brev((unsigned int)(c_2.z)))))))) | ((unsigned int)__brev((unsigned int)(c_2.z)));
        const int item_7 = gpucore_floor_div_i32(a_2.w, b_2.w);
        const int item_8 = gpucore_floor_mod_i32(a_2.w, b_2.w);
        const int truncated_4 = (int)((unsigned int)gpucore_trunc_div_i32(a_2.w, b_2.w) + (unsigned int)gpucore_trunc_rem_i32(a_2.w, b_2.w));
        const int shifted_4 = (int)((unsigned int)a_2.w << (b_2.w & 31)) ^ (a_2.w >> ((b_2.w & 7) & 31));
        const int signed_6 = (int)((unsigned int)item_7 * (unsigned int)item_8 - (unsigned int)truncated_4 + (unsigned int)(shifted_4 | ~a_2.w) + (unsigned int)(a_2.w >> 3) + (unsigned int)(b_2.w & 7) - (unsigned int)gpucore_abs_i32(b_2.w));
        const unsigned int unsigned_6 = (((c_2.w / 10u + c_2.w % 10u) * 2654435761u) ^ ((c_2.w >> 16) & (((unsigned int)__popc((unsigned int)(c_2.w))) + ((unsigned int)__clz((int)(c_2.w))) - ((unsigned int)__clz((int)(__brev((unsigned int)(c_2.w)))))))) | ((unsigned int)__brev((unsigned int)(c_2.w)));
        ((int4*)signed_2)[group] = make_int4(signed_3, signed_4, signed_5, signed_6);
        ((uint4*)unsigned_2)[group] = make_uint4(unsigned_3, unsigned_4, unsigned_5, unsigned_6);
    }
    else {
        const unsigned int at_stop = min(launched, 4u);
        for (unsigned int at = 0u; at < at_stop; ++at) {
            const unsigned int element = (group + (at >> 2) * 64u) * 4u + (at & 3u);
            if (element < launched) {
                const int i = (int)element;
                if (i < signed_shape_0) {
                    const int a_3 = a[i];
                    const int b_3 = b[i];
                    const unsigned int c_3 = c[i];
                    const int item_9 = gpucore_floor_div_i32(a_3, b_3);
                    const int item_10 = gpucore_floor_mod_i32(a_3, b_3);
                    const int truncated_5 = (int)((unsigned int)gpucore_trunc_div_i32(a_3, b_3) + (unsigned int)gpucore_trunc_rem_i32(a_3, b_3));
                    const int shifted_5 = (int)((unsigned int)a_3 << (b_3 & 31)) ^ (a_3 >> ((b_3 & 7) & 31));
                    signed_2[i] = (int)((unsigned int)item_9 * (unsigned int)item_10 - (unsigned int)truncated_5 + (unsigned int)(shifted_5 | ~a_3) + (unsigned int)(a_3 >> 3) + (unsigned int)(b_3 & 7) - (unsigned int)gpucore_abs_i32(b_3));
                    unsigned_2[i] = (((c_3 / 10u + c_3 % 10u) * 2654435761u) ^ ((c_3 >> 16) & (((unsigned int)__popc((unsigned int)(c_3))) + ((unsigned int)__clz((int)(c_3))) - ((unsigned int)__clz((int)(__brev((unsigned int)(c_3)))))))) | ((unsigned int)__brev((unsigned int)(c_3)));
                }
            }
        }
    }
}
