struct gpucore_scalars {
    int source_shape_0;
    int source_shape_1;
    int target_shape_0;
    int target_shape_1;
};

extern "C" __global__ void __launch_bounds__(256) transpose(
    const float* __restrict__ source,
    float* __restrict__ target,
    const struct gpucore_scalars scalars)
{
    const int source_shape_0 = scalars.source_shape_0;
    const int source_shape_1 = scalars.source_shape_1;
    const int target_shape_0 = scalars.target_shape_0;
    const int target_shape_1 = scalars.target_shape_1;
    __shared__ __align__(16) float tile[272];
    const int item = (int)blockIdx.x * 16 + (int)threadIdx.x;
    const int item_2 = (int)blockIdx.y * 16 + (int)threadIdx.y;
    if (item_2 < source_shape_0 && item < source_shape_1) {
        const float source_2 = source[(int)((unsigned int)item_2 * (unsigned int)source_shape_1 + (unsigned int)item)];
        tile[(int)threadIdx.y * 17 + (int)threadIdx.x] = source_2;
    }
    __syncthreads();
    const int column = (int)blockIdx.y * 16 + (int)threadIdx.x;
    const int row = (int)blockIdx.x * 16 + (int)threadIdx.y;
    if (row < target_shape_0 && column < target_shape_1) {
        const float tile_2 = tile[(int)threadIdx.x * 17 + (int)threadIdx.y];
        target[(int)((unsigned int)row * (unsigned int)target_shape_1 + (unsigned int)column)] = tile_2;
    }
}
