struct gpucore_scalars {
    float a;
    int y_shape_0;
    int called_workgroups;
    unsigned int padding_3_;
};

extern "C" __global__ void __launch_bounds__(256) saxpy(
    const float* x,
    float* __restrict__ y,
    const struct gpucore_scalars scalars)
{
    const float a = scalars.a;
    const int y_shape_0 = scalars.y_shape_0;
    const int called_workgroups = scalars.called_workgroups;
    const unsigned int group = (unsigned int)(int)blockIdx.x * 256u + (unsigned int)(int)threadIdx.x;
    const unsigned int launched = (unsigned int)called_workgroups * 256u;
    if (group * 4u + 3u < launched && (int)(group * 4u + 3u) < y_shape_0) {
        const float4 x_2 = ((const float4*)x)[group];
        const float4 y_2 = ((float4*)y)[group];
        const float y_3 = a * x_2.x + y_2.x;
        const float y_4 = a * x_2.y + y_2.y;
        const float y_5 = a * x_2.z + y_2.z;
        const float y_6 = a * x_2.w + y_2.w;
        ((float4*)y)[group] = make_float4(y_3, y_4, y_5, y_6);
    }
    else {
        const unsigned int at_stop = min(launched, 4u);
        for (unsigned int at = 0u; at < at_stop; ++at) {
            const unsigned int element = (group + (at >> 2) * 256u) * 4u + (at & 3u);
            if (element < launched) {
                const int i = (int)element;
                if (i < y_shape_0) {
                    const float x_3 = x[i];
                    const float y_7 = y[i];
                    y[i] = a * x_3 + y_7;
                }
            }
        }
    }
}
