@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> sums: array<f32>;
struct gpucore_Scalars {
    @size(16) x_shape_0: i32,
}
@group(0) @binding(2) var<uniform> gpucore_scalars: gpucore_Scalars;
var<workgroup> shared_2: array<f32, 128>;

@compute @workgroup_size(128, 1, 1)
fn reduce_sum(@builtin(workgroup_id) gpucore_workgroup_id: vec3<u32>, @builtin(local_invocation_id) gpucore_local_id: vec3<u32>) {
    let x_shape_0 = gpucore_scalars.x_shape_0;
    let workgroup_id_x = i32(gpucore_workgroup_id.x);
    let local_id_x = i32(gpucore_local_id.x);
    let item = workgroup_id_x * 128 + local_id_x;
    let condition = item < x_shape_0;
    var choice: f32;
    if condition {
        let x_2 = x[item];
        choice = x_2;
    }
    else {
        choice = 0.0;
    }
    shared_2[local_id_x] = choice;
    workgroupBarrier();
    var half: i32 = 64;
    loop {
        if half <= 0 {
            break;
        }
        if local_id_x < half {
            let shared_3 = shared_2[local_id_x];
            let shared_4 = shared_2[local_id_x + half];
            shared_2[local_id_x] = shared_3 + shared_4;
        }
        workgroupBarrier();
        half = half >> 1u;
    }
    if local_id_x == 0 {
        let shared_5 = shared_2[0];
        sums[workgroup_id_x] = shared_5;
    }
}
