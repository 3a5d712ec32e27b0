struct gpucore_scalars {
    int x_shape_0;
    uint padding_1_;
    uint padding_2_;
    uint padding_3_;
};

__kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void reduce_sum(
    __global const float* restrict x,
    __global float* restrict sums,
    const struct gpucore_scalars scalars)
{
    const int x_shape_0 = scalars.x_shape_0;
    __local float shared[128];
    const int item = (int)get_group_id(0) * 128 + (int)get_local_id(0);
    const bool condition = item < x_shape_0;
    float choice;
    if (condition) {
        const float x_2 = x[item];
        choice = x_2;
    }
    else {
        choice = 0.0f;
    }
    shared[(int)get_local_id(0)] = choice;
    barrier(CLK_LOCAL_MEM_FENCE);
    int half_2 = 64;
    for (;;) {
        if (half_2 <= 0) {
            break;
        }
        if ((int)get_local_id(0) < half_2) {
            const float shared_2 = shared[(int)get_local_id(0)];
            const float shared_3 = shared[(int)((uint)get_local_id(0) + (uint)half_2)];
            shared[(int)get_local_id(0)] = shared_2 + shared_3;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        half_2 = half_2 >> 1;
    }
    if ((int)get_local_id(0) == 0) {
        const float shared_4 = shared[0];
        sums[(int)get_group_id(0)] = shared_4;
    }
}
