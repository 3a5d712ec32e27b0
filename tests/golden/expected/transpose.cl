struct gpucore_scalars {
    int source_shape_0;
    int source_shape_1;
    int target_shape_0;
    int target_shape_1;
};

__kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void transpose(
    __global const float* restrict source,
    __global float* restrict target,
    const struct gpucore_scalars scalars)
{
    const int source_shape_0 = scalars.source_shape_0;
    const int source_shape_1 = scalars.source_shape_1;
    const int target_shape_0 = scalars.target_shape_0;
    const int target_shape_1 = scalars.target_shape_1;
    __local float tile[272];
    const int item = (int)get_group_id(0) * 16 + (int)get_local_id(0);
    const int item_2 = (int)get_group_id(1) * 16 + (int)get_local_id(1);
    if (item_2 < source_shape_0 && item < source_shape_1) {
        const float source_2 = source[(int)((uint)item_2 * (uint)source_shape_1 + (uint)item)];
        tile[(int)get_local_id(1) * 17 + (int)get_local_id(0)] = source_2;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int column = (int)get_group_id(1) * 16 + (int)get_local_id(0);
    const int row = (int)get_group_id(0) * 16 + (int)get_local_id(1);
    if (row < target_shape_0 && column < target_shape_1) {
        const float tile_2 = tile[(int)get_local_id(0) * 17 + (int)get_local_id(1)];
        target[(int)((uint)row * (uint)target_shape_1 + (uint)column)] = tile_2;
    }
}
