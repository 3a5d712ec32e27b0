struct gpucore_scalars {
    float a;
    int y_shape_0;
    uint padding_2_;
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
    const int i = (int)get_group_id(0) * 256 + (int)get_local_id(0);
    if (i < y_shape_0) {
        const float x_2 = x[i];
        const float y_2 = y[i];
        y[i] = a * x_2 + y_2;
    }
}
