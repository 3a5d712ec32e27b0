@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<storage, read> picks: array<u32>;
struct gpucore_Scalars {
    @size(16) x_shape_0: i32,
}
@group(0) @binding(3) var<uniform> gpucore_scalars: gpucore_Scalars;

@compute @workgroup_size(64, 1, 1)
fn polynomial(@builtin(workgroup_id) gpucore_workgroup_id: vec3<u32>, @builtin(local_invocation_id) gpucore_local_id: vec3<u32>, @builtin(num_workgroups) gpucore_num_workgroups: vec3<u32>) {
    let x_shape_0 = gpucore_scalars.x_shape_0;
    let workgroup_id_x = i32(gpucore_workgroup_id.x);
    let local_id_x = i32(gpucore_local_id.x);
    let num_workgroups_x = i32(gpucore_num_workgroups.x);
    let opaque_zero = select(0u, 1u, (num_workgroups_x == 0));
    let i = workgroup_id_x * 64 + local_id_x;
    if i < x_shape_0 {
        let x_2 = x[i];
        let x_3 = x[i];
        let powers_2 = x_2 * x_3;
        let x_4 = x[i];
        let powers_3 = bitcast<f32>(bitcast<u32>(powers_2) | opaque_zero) * x_4;
        let total = 1.0 + x_2 * 0.5;
        let total_2 = total + bitcast<f32>(bitcast<u32>(powers_2) | opaque_zero) * 0.25;
        let total_3 = total_2 + bitcast<f32>(bitcast<u32>(powers_3) | opaque_zero) * 0.125;
        var table = array<f32, 8>();
        for (var k: i32 = 0; k < 8; k += 1) {
            table[k] = bitcast<f32>(bitcast<u32>(total_3) | opaque_zero) + f32(k);
        }
        let picks_2 = picks[i];
        let table_2 = table[i32(picks_2 & 7u)];
        y[i] = table_2;
    }
}
