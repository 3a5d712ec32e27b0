static inline int gpucore_floor_mod_i32(int a, int b)
{
    const int divisor = b == 0 || b == -1 ? 1 : b;
    const int remainder = a % divisor;
    return remainder != 0 && (remainder < 0) != (divisor < 0) ? remainder + divisor : remainder;
}

struct gpucore_scalars {
    int x_shape_0;
    uint padding_1_;
    uint padding_2_;
    uint padding_3_;
};
__constant uint MARKS[3] = {1u, 0u, 1u};
__constant float WEIGHTS[3] = {0.25f, 0.5f, -1.5f};
__constant long PLANE[6] = {0L, 1L, 2L, 3L, 4L, 5L};

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void tables(
    __global const int* restrict x,
    __global float* restrict out,
    __global long* restrict wide,
    const struct gpucore_scalars scalars)
{
    const int x_shape_0 = scalars.x_shape_0;
    const int i = (int)get_group_id(0) * 64 + (int)get_local_id(0);
    if (i < x_shape_0) {
        const uint MARKS_2 = MARKS[i % 3];
        const bool condition = MARKS_2 != 0u;
        float choice;
        if (condition) {
            const int x_2 = x[i];
            const float WEIGHTS_2 = WEIGHTS[gpucore_floor_mod_i32(x_2, 3)];
            choice = WEIGHTS_2;
        }
        else {
            choice = 0.5f;
        }
        out[i] = choice;
        const int x_3 = x[i];
        const long PLANE_2 = PLANE[(i & 1) * 3 + gpucore_floor_mod_i32(x_3, 3)];
        wide[i] = PLANE_2;
    }
}
