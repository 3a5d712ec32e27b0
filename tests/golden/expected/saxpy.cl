struct gpucore_scalars {
    float a;
    int y_shape_0;
    int called_workgroups;
    uint padding_3_;
};

__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void saxpy(
    __global const float* restrict x,
    __global float* restrict y,
    const struct gpucore_scalars scalars)
{
    const float a = scalars.a;
    const int y_shape_0 = scalars.y_shape_0;
    const int called_workgroups = scalars.called_workgroups;
    const uint group = (uint)(int)get_group_id(0) * 256u + (uint)(int)get_local_id(0);
    const uint launched = (uint)called_workgroups * 256u;
    if (group * 4u + 3u < launched && (int)(group * 4u + 3u) < y_shape_0) {
        const float4 x_2 = ((__global const float4*)x)[group];
        const float4 y_2 = ((__global float4*)y)[group];
        const float y_3 = a * x_2.x + y_2.x;
        const float y_4 = a * x_2.y + y_2.y;
        const float y_5 = a * x_2.z + y_2.z;
        const float y_6 = a * x_2.w + y_2.w;
        ((__global float4*)y)[group] = ((float4)(y_3, y_4, y_5, y_6));
    }
    else {
        const uint at_stop = min(launched, 4u);
        for (uint at = 0u; at < at_stop; ++at) {
            const uint element = (group + (at >> 2) * 256u) * 4u + (at & 3u);
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
