@group(0) @binding(0) var<storage, read> source: array<f32>;
@group(0) @binding(1) var<storage, read_write> target_2: array<f32>;
struct gpucore_Scalars {
    @size(4) source_shape_0: i32,
    @size(4) source_shape_1: i32,
    @size(4) target_shape_0: i32,
    @size(4) target_shape_1: i32,
}
@group(0) @binding(2) var<uniform> gpucore_scalars: gpucore_Scalars;
var<workgroup> tile: array<f32, 272>;

@compute @workgroup_size(16, 16, 1)
fn transpose(@builtin(workgroup_id) gpucore_workgroup_id: vec3<u32>, @builtin(local_invocation_id) gpucore_local_id: vec3<u32>) {
    let source_shape_0 = gpucore_scalars.source_shape_0;
    let source_shape_1 = gpucore_scalars.source_shape_1;
    let target_shape_0 = gpucore_scalars.target_shape_0;
    let target_shape_1 = gpucore_scalars.target_shape_1;
    let workgroup_id_x = i32(gpucore_workgroup_id.x);
    let workgroup_id_y = i32(gpucore_workgroup_id.y);
    let local_id_x = i32(gpucore_local_id.x);
    let local_id_y = i32(gpucore_local_id.y);
    let item = workgroup_id_x * 16 + local_id_x;
    let item_2 = workgroup_id_y * 16 + local_id_y;
    if (item_2 < source_shape_0) & (item < source_shape_1) {
        let source_2 = source[item_2 * source_shape_1 + item];
        tile[local_id_y * 17 + local_id_x] = source_2;
    }
    workgroupBarrier();
    let column = workgroup_id_y * 16 + local_id_x;
    let row = workgroup_id_x * 16 + local_id_y;
    if (row < target_shape_0) & (column < target_shape_1) {
        let tile_2 = tile[local_id_x * 17 + local_id_y];
        target_2[row * target_shape_1 + column] = tile_2;
    }
}
