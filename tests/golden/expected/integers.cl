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
    uint padding_1_;
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
    const int i = (int)get_group_id(0) * 64 + (int)get_local_id(0);
    if (i < signed_shape_0) {
        const int a_2 = a[i];
        const int b_2 = b[i];
        const uint c_2 = c[i];
        const int item = gpucore_floor_div_i32(a_2, b_2);
        const int item_2 = gpucore_floor_mod_i32(a_2, b_2);
        const int truncated = (int)((uint)gpucore_trunc_div_i32(a_2, b_2) + (uint)gpucore_trunc_rem_i32(a_2, b_2));
        const int shifted = (int)((uint)a_2 << (b_2 & 31)) ^ (a_2 >> ((b_2 & 7) & 31));
        signed_2[i] = (int)((uint)item * (uint)item_2 - (uint)truncated + (uint)(shifted | ~a_2) + (uint)(a_2 >> 3) + (uint)(b_2 & 7) - (uint)gpucore_abs_i32(b_2));
        unsigned_2[i] = (((c_2 / 10u + c_2 % 10u) * 2654435761u) ^ ((c_2 >> 16) & (popcount(c_2) + clz(c_2) - gpucore_ctz_u32(c_2)))) | gpucore_reverse_bits_u32(c_2);
    }
}
