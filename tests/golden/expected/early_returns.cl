struct gpucore_scalars {
    int x_shape_0;
    float low;
    float high;
    uint padding_3_;
};

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void early_returns(
    __global const float* restrict x,
    __global int* restrict classes,
    const struct gpucore_scalars scalars)
{
    const int x_shape_0 = scalars.x_shape_0;
    const float low = scalars.low;
    const float high = scalars.high;
    const int i = (int)get_group_id(0) * 64 + (int)get_local_id(0);
    if (i < x_shape_0) {
        const float x_2 = x[i];
        if ((isnan(x_2) != 0)) {
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
