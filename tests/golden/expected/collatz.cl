struct gpucore_scalars {
    int starts_shape_0;
    int limit;
    uint padding_2_;
    uint padding_3_;
};

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void collatz(
    __global const uint* restrict starts,
    __global int* restrict steps,
    const struct gpucore_scalars scalars)
{
    const int starts_shape_0 = scalars.starts_shape_0;
    const int limit = scalars.limit;
    const int i = (int)get_group_id(0) * 64 + (int)get_local_id(0);
    if (i < starts_shape_0) {
        const uint starts_2 = starts[i];
        uint value = starts_2;
        int count = 0;
        for (;;) {
            if (value <= 1u || count >= limit) {
                break;
            }
            count = (int)((uint)count + 1u);
            if (value % 2u == 0u) {
                value = value / 2u;
                continue;
            }
            value = value * 3u + 1u;
        }
        int bonus = 0;
        for (uint trip = 0u; trip < 4u; ++trip) {
            const int k = (int)trip * -3 + 10;
            const bool condition = (k & 1) == 0;
            bonus = (int)((uint)bonus + (uint)(condition ? k : -1));
        }
        steps[i] = (int)((uint)count + (uint)bonus);
    }
}
