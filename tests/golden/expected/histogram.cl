struct gpucore_scalars {
    int values_shape_0;
    uint padding_1_;
    uint padding_2_;
    uint padding_3_;
};

__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void histogram(
    __global const uint* restrict values,
    __global volatile uint* restrict bins,
    __global volatile int* restrict extremes,
    const struct gpucore_scalars scalars)
{
    const int values_shape_0 = scalars.values_shape_0;
    __local volatile uint counts[256];
    const int item = (int)get_group_id(0) * 256 + (int)get_local_id(0);
    atomic_xchg(&counts[(int)get_local_id(0)], 0u);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < values_shape_0) {
        const uint values_2 = values[item];
        const int value = (int)(values_2 & 255u);
        atomic_add(&counts[value], 1u);
        atomic_min(&extremes[0], value);
        atomic_max(&extremes[1], value);
        const int before = atomic_cmpxchg(&extremes[2], 0, value + 1);
        if (before == 0) {
            atomic_xchg(&extremes[3], item);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint before_2 = counts[(int)get_local_id(0)];
    if (before_2 > 0u) {
        atomic_add(&bins[(int)get_local_id(0)], before_2);
    }
}
