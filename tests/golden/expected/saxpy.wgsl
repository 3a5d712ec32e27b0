@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
struct gpucore_Scalars {
    @size(4) a: f32,
    @size(12) y_shape_0: i32,
}
@group(0) @binding(2) var<uniform> gpucore_scalars: gpucore_Scalars;

@compute @workgroup_size(256, 1, 1)
fn saxpy(@builtin(workgroup_id) gpucore_workgroup_id: vec3<u32>, @builtin(local_invocation_id) gpucore_local_id: vec3<u32>) {
    let a = gpucore_scalars.a;
    let y_shape_0 = gpucore_scalars.y_shape_0;
    let workgroup_id_x = i32(gpucore_workgroup_id.x);
    let local_id_x = i32(gpucore_local_id.x);
    let i = workgroup_id_x * 256 + local_id_x;
    if i < y_shape_0 {
        let x_2 = x[i];
        let y_2 = y[i];
        y[i] = a * x_2 + y_2;
    }
}
