__device__ __forceinline__ int gpucore_floor_mod_i32(int a, int b)
{
    const int divisor = b == 0 || b == -1 ? 1 : b;
    const int remainder = a % divisor;
    return remainder != 0 && (remainder < 0) != (divisor < 0) ? remainder + divisor : remainder;
}

struct gpucore_scalars {
    int x_shape_0;
    unsigned int padding_1_;
    unsigned int padding_2_;
    unsigned int padding_3_;
};
__constant__ unsigned int MARKS[3] = {1u, 0u, 1u};
__constant__ float WEIGHTS[3] = {0.25f, 0.5f, -1.5f};
__constant__ long long PLANE[6] = {0LL, 1LL, 2LL, 3LL, 4LL, 5LL};

extern "C" __global__ void __launch_bounds__(64) tables(
    const int* __restrict__ x,
    float* __restrict__ out,
    long long* __restrict__ wide,
    const struct gpucore_scalars scalars)
{
    const int x_shape_0 = scalars.x_shape_0;
    const int i = (int)blockIdx.x * 64 + (int)threadIdx.x;
    if (i < x_shape_0) {
        const unsigned int MARKS_2 = MARKS[i % 3];
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
        const long long PLANE_2 = PLANE[(i & 1) * 3 + gpucore_floor_mod_i32(x_3, 3)];
        wide[i] = PLANE_2;
    }
}
