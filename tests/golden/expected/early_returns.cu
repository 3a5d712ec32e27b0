__device__ __forceinline__ bool gpucore_isnan_f32(float a)
{
    return a != a;
}

struct gpucore_scalars {
    int x_shape_0;
    float low;
    float high;
    unsigned int padding_3_;
};

extern "C" __global__ void __launch_bounds__(64) early_returns(
    const float* __restrict__ x,
    int* __restrict__ classes,
    const struct gpucore_scalars scalars)
{
    const int x_shape_0 = scalars.x_shape_0;
    const float low = scalars.low;
    const float high = scalars.high;
    const int i = (int)blockIdx.x * 64 + (int)threadIdx.x;
    if (i < x_shape_0) {
        const float x_2 = x[i];
        if (gpucore_isnan_f32(x_2)) {
            classes[i] = -2;
        }
        else {
            const float x_3 = x[i];
            bool classify_return_taken = false;
            int classify_result;
            if (x_3 < low) {
                classify_result = -1;
                classify_return_taken = true;
            }
            else {
                for (int k = 0; k < 3; ++k) {
                    if (x_3 > high * (float)(k + 1)) {
                        classify_result = k;
                        classify_return_taken = true;
                        break;
                    }
                }
                if (!classify_return_taken) {
                    classify_result = 7;
                    classify_return_taken = true;
                }
            }
            classes[i] = classify_result;
        }
    }
}
