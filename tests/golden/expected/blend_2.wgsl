@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
struct gpucore_Scalars {
    @size(4) x_shape_0: i32,
    @size(4) y_shape_0: i32,
    @size(4) how_weight: f32,
    @size(4) how_offset: i32,
    @size(4) how_invert: u32,
    @size(12) clamp: u32,
}
@group(0) @binding(2) var<uniform> gpucore_scalars: gpucore_Scalars;

fn gpucore_mix_f32(a: f32, b: f32, t: f32) -> f32 {
    return a * (1.0 - t) + b * t;
}

fn gpucore_max_number_f32(a: f32, b: f32) -> f32 {
    return select(b, a, a > b);
}

fn gpucore_min_number_f32(a: f32, b: f32) -> f32 {
    return select(b, a, a < b);
}

@compute @workgroup_size(64, 1, 1)
fn blend(@builtin(workgroup_id) gpucore_workgroup_id: vec3<u32>, @builtin(local_invocation_id) gpucore_local_id: vec3<u32>, @builtin(num_workgroups) gpucore_num_workgroups: vec3<u32>) {
    let x_shape_0 = gpucore_scalars.x_shape_0;
    let y_shape_0 = gpucore_scalars.y_shape_0;
    let how_weight = gpucore_scalars.how_weight;
    let how_offset = gpucore_scalars.how_offset;
    let how_invert = gpucore_scalars.how_invert != 0u;
    let clamp = gpucore_scalars.clamp != 0u;
    let workgroup_id_x = i32(gpucore_workgroup_id.x);
    let local_id_x = i32(gpucore_local_id.x);
    let num_workgroups_x = i32(gpucore_num_workgroups.x);
    let opaque_zero = select(0u, 1u, (num_workgroups_x == 0));
    let i = workgroup_id_x * 64 + local_id_x;
    if i < y_shape_0 {
        let x_2 = x[min(i + how_offset, x_shape_0 - 1)];
        let value = x_2 * x_2;
        let value_2 = select(bitcast<f32>(bitcast<u32>(value) | opaque_zero) * how_weight, gpucore_mix_f32(value, 1.0 - value, how_weight), how_invert);
        y[i] = select(value_2, gpucore_min_number_f32(gpucore_max_number_f32(value_2, 0.0), 1.0), clamp);
    }
}
