static inline int gpucore_floor_div_i32(int a, int b)
{
    const int divisor = b == 0 || b == -1 ? 1 : b;
    const int quotient = a / divisor;
    const int floored = a % divisor != 0 && (a < 0) != (divisor < 0) ? quotient - 1 : quotient;
    return b == -1 ? (int)(0 - (uint)a) : floored;
}

static inline int gpucore_floor_mod_i32(int a, int b)
{
    const int divisor = b == 0 || b == -1 ? 1 : b;
    const int remainder = a % divisor;
    return remainder != 0 && (remainder < 0) != (divisor < 0) ? remainder + divisor : remainder;
}

static inline int gpucore_trunc_div_i32(int a, int b)
{
    const int divisor = b == 0 || b == -1 ? 1 : b;
    return b == -1 ? (int)(0 - (uint)a) : a / divisor;
}

static inline int gpucore_trunc_rem_i32(int a, int b)
{
    const int divisor = b == 0 || b == -1 ? 1 : b;
    return a % divisor;
}

static inline int gpucore_abs_i32(int a)
{
    return a < 0 ? (int)-(uint)a : a;
}

static inline uint gpucore_ctz_u32(uint a)
{
    return popcount(~a & (a - 1u));
}

static inline uint gpucore_reverse_bits_u32(uint a)
{
    uint bits = (uint)a;
    bits = ((bits >> 1) & 0x55555555u) | ((bits & 0x55555555u) << 1);
    bits = ((bits >> 2) & 0x33333333u) | ((bits & 0x33333333u) << 2);
    bits = ((bits >> 4) & 0xf0f0f0fu) | ((bits & 0xf0f0f0fu) << 4);
    bits = ((bits >> 8) & 0xff00ffu) | ((bits & 0xff00ffu) << 8);
    bits = ((bits >> 16) & 0xffffu) | ((bits & 0xffffu) << 16);
    return (uint)bits;
}

struct gpucore_scalars {
    int signed_shape_0;
    int called_workgroups;
    uint padding_2_;
    uint padding_3_;
};

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void integers(
    __global const int* restrict a,
    __global const int* restrict b,
    __global const uint* restrict c,
    __global int* restrict signed_2,
    __global uint* restrict unsigned_2,
    const struct gpucore_scalars scalars)
{
    const int signed_shape_0 = scalars.signed_shape_0;
    const int called_workgroups = scalars.called_workgroups;
    const uint group = (uint)(int)get_group_id(0) * 64u + (uint)(int)get_local_id(0);
    const uint launched = (uint)called_workgroups * 64u;
    if (group * 4u + 3u < launched && (int)(group * 4u + 3u) < signed_shape_0) {
        const int4 a_2 = ((__global const int4*)a)[group];
        const int4 b_2 = ((__global const int4*)b)[group];
        const uint4 c_2 = ((__global const uint4*)c)[group];
        const int item = gpucore_floor_div_i32(a_2.x, b_2.x);
        const int item_2 = gpucore_floor_mod_i32(a_2.x, b_2.x);
        const int truncated = (int)((uint)gpucore_trunc_div_i32(a_2.x, b_2.x) + (uint)gpucore_trunc_rem_i32(a_2.x, b_2.x));
        const int shifted = (int)((uint)a_2.x << (b_2.x & 31)) ^ (a_2.x >> ((b_2.x & 7) & 31));
        const int signed_3 = (int)((uint)item * (uint)item_2 - (uint)truncated + (uint)(shifted | ~a_2.x) + (uint)(a_2.x >> 3) + (uint)(b_2.x & 7) - (uint)gpucore_abs_i32(b_2.x));
        const uint unsigned_3 = (((c_2.x / 10u + c_2.x % 10u) * 2654435761u) ^ ((c_2.x >> 16) & (popcount(c_2.x) + clz(c_2.x) - gpucore_ctz_u32(c_2.x)))) | gpucore_reverse_bits_u32(c_2.x);
        const int item_3 = gpucore_floor_div_i32(a_2.y, b_2.y);
        const int item_4 = gpucore_floor_mod_i32(a_2.y, b_2.y);
        const int truncated_2 = (int)((uint)gpucore_trunc_div_i32(a_2.y, b_2.y) + (uint)gpucore_trunc_rem_i32(a_2.y, b_2.y));
        const int shifted_2 = (int)((uint)a_2.y << (b_2.y & 31)) ^ (a_2.y >> ((b_2.y & 7) & 31));
        const int signed_4 = (int)((uint)item_3 * (uint)item_4 - (uint)truncated_2 + (uint)(shifted_2 | ~a_2.y) + (uint)(a_2.y >> 3) + (uint)(b_2.y & 7) - (uint)gpucore_abs_i32(b_2.y));
        const uint unsigned_4 = (((c_2.y / 10u + c_2.y % 10u) * 2654435761u) ^ ((c_2.y >> 16) & (popcount(c_2.y) + clz(c_2.y) - gpucore_ctz_u32(c_2.y)))) | gpucore_reverse_bits_u32(c_2.y);
        const int item_5 = gpucore_floor_div_i32(a_2.z, b_2.z);
        const int item_6 = gpucore_floor_mod_i32(a_2.z, b_2.z);
        const int truncated_3 = (int)((uint)gpucore_trunc_div_i32(a_2.z, b_2.z) + (uint)gpucore_trunc_rem_i32(a_2.z, b_2.z));
        const int shifted_3 = (int)((uint)a_2.z << (b_2.z & 31)) ^ (a_2.z >> ((b_2.z & 7) & 31));
        const int signed_5 = (int)((uint)item_5 * (uint)item_6 - (uint)truncated_3 + (uint)(shifted_3 | ~a_2.z) + (uint)(a_2.z >> 3) + (uint)(b_2.z & 7) - (uint)gpucore_abs_i32(b_2.z));
        const uint unsigned_5 = (((c_2.z / 10u + c_2.z % 10u) * 2654435761u) ^ ((c_2.z >> 16) & (popcount(c_2.z) + clz(c_2.z) - gpucore_ctz_u32(c_2.z)))) | gpucore_reverse_bits_u32(c_2.z);
        const int item_7 = gpucore_floor_div_i32(a_2.w, b_2.w);
        const int item_8 = gpucore_floor_mod_i32(a_2.w, b_2.w);
        const int truncated_4 = (int)((uint)gpucore_trunc_div_i32(a_2.w, b_2.w) + (uint)gpucore_trunc_rem_i32(a_2.w, b_2.w));
        const int shifted_4 = (int)((uint)a_2.w << (b_2.w & 31)) ^ (a_2.w >> ((b_2.w & 7) & 31));
        const int signed_6 = (int)((uint)item_7 * (uint)item_8 - (uint)truncated_4 + (uint)(shifted_4 | ~a_2.w) + (uint)(a_2.w >> 3) + (uint)(b_2.w & 7) - (uint)gpucore_abs_i32(b_2.w));
        const uint unsigned_6 = (((c_2.w / 10u + c_2.w % 10u) * 2654435761u) ^ ((c_2.w >> 16) & (popcount(c_2.w) + clz(c_2.w) - gpucore_ctz_u32(c_2.w)))) | gpucore_reverse_bits_u32(c_2.w);
        ((__global int4*)signed_2)[group] = ((int4)(signed_3, signed_4, signed_5, signed_6));
        ((__global uint4*)unsigned_2)[group] = ((uint4)(unsigned_3, unsigned_4, unsigned_5, unsigned_6));
    }
    else {
        const uint at_stop = min(launched, 4u);
        for (uint at = 0u; at < at_stop; ++at) {
            const uint element = (group + (at >> 2) * 64u) * 4u + (at & 3u);
            if (element < launched) {
                const int i = (int)element;
                if (i < signed_shape_0) {
                    const int a_3 = a[i];
                    const int b_3 = b[i];
                    const uint c_3 = c[i];
                    const int item_9 = gpucore_floor_div_i32(a_3, b_3);
                    const int item_10 = gpucore_floor_mod_i32(a_3, b_3);
                    const int truncated_5 = (int)((uint)gpucore_trunc_div_i32(a_3, b_3) + (uint)gpucore_trunc_rem_i32(a_3, b_3));
                    const int shifted_5 = (int)((uint)a_3 << (b_3 & 31)) ^ (a_3 >> ((b_3 & 7) & 31));
                    signed_2[i] = (int)((uint)item_9 * (uint)item_10 - (uint)truncated_5 + (uint)(shifted_5 | ~a_3) + (uint)(a_3 >> 3) + (uint)(b_3 & 7) - (uint)gpucore_abs_i32(b_3));
                    unsigned_2[i] = (((c_3 / 10u + c_3 % 10u) * 2654435761u) ^ ((c_3 >> 16) & (popcount(c_3) + clz(c_3) - gpucore_ctz_u32(c_3)))) | gpucore_reverse_bits_u32(c_3);
                }
            }
        }
    }
}
