struct gpucore_scalars {
    float a;
    int y_shape_0;
    unsigned int padding_2_;
    unsigned int padding_3_;
};

extern "C" __global__ void __launch_bounds__(256) saxpy(
    const float* x,
    float* __restrict__ y,
    const struct gpucore_scalars scalars)
{
    const float a = scalars.a;
    const int y_shape_0 = scalars.y_shape_0;
    const int i = (int)blockIdx.x * 256 + (int)threadIdx.x;
    if (i < y_shape_0) {
        const float x_2 = x[i];
        const float y_2 = y[i];
        y[i] = a * x_2 + y_2;
    }
}
