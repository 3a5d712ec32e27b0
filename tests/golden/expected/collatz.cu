struct gpucore_scalars {
    int starts_shape_0;
    int limit;
    unsigned int padding_2_;
    unsigned int padding_3_;
};

extern "C" __global__ void __launch_bounds__(64) collatz(
    const unsigned int* __restrict__ starts,
    int* __restrict__ steps,
    const struct gpucore_scalars scalars)
{
    const int starts_shape_0 = scalars.starts_shape_0;
    const int limit = scalars.limit;
    const int i = (int)blockIdx.x * 64 + (int)threadIdx.x;
    if (i < starts_shape_0) {
        const unsigned int starts_2 = starts[i];
        unsigned int value = starts_2;
        int count = 0;
        for (;;) {
            if (value <= 1u || count >= limit) {
                break;
            }
            count = (int)((unsigned int)count + 1u);
            if (value % 2u == 0u) {
                value = value / 2u;
                continue;
            }
            value = value * 3u + 1u;
        }
        int bonus = 0;
        for (unsigned int trip = 0u; trip < 4u; ++trip) {
            const int k = (int)trip * -3 + 10;
            const bool condition = (k & 1) == 0;
            bonus = (int)((unsigned int)bonus + (unsigned int)(condition ? k : -1));
        }
        steps[i] = (int)((unsigned int)count + (unsigned int)bonus);
    }
}
