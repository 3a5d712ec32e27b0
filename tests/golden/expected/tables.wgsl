@group(0) @binding(0) var<storage, read> x: array<i32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@group(0) @binding(2) var<storage, read_write> wide: array<i64>;
struct gpucore_Scalars {
    @size(16) x_shape_0: i32,
}
@group(0) @binding(3) var<uniform> gpucore_scalars: gpucore_Scalars;
@group(0) @binding(4) var<uniform> gpucore_tables: array<vec4<u32>, 5>;

fn gpucore_trunc_rem_i32(a: i32, b: i32) -> i32 {
    return select(a - a / b * b, 0, b == 0);
}

fn gpucore_floor_mod_i32(a: i32, b: i32) -> i32 {
    let r = gpucore_trunc_rem_i32(a, b);
    return select(r, r + b, (r != 0) & ((r ^ b) < 0));
}

@compute @workgroup_size(64, 1, 1)
fn tables(@builtin(workgroup_id) gpucore_workgroup_id: vec3<u32>, @builtin(local_invocation_id) gpucore_local_id: vec3<u32>) {
    let x_shape_0 = gpucore_scalars.x_shape_0;
    let workgroup_id_x = i32(gpucore_workgroup_id.x);
    let local_id_x = i32(gpucore_local_id.x);
    let i = workgroup_id_x * 64 + local_id_x;
    if i < x_shape_0 {
        let MARKS_word = u32(i % 3);
        let MARKS = gpucore_tables[MARKS_word >> 2u][MARKS_word & 3u];
        let condition = MARKS != 0u;
        var choice: f32;
        if condition {
            let x_2 = x[i];
            let WEIGHTS_word = u32(gpucore_floor_mod_i32(x_2, 3)) + 3u;
            let WEIGHTS = gpucore_tables[WEIGHTS_word >> 2u][WEIGHTS_word & 3u];
            let WEIGHTS_2 = bitcast<f32>(WEIGHTS);
            choice = WEIGHTS_2;
        }
        else {
            choice = 0.5;
        }
        out[i] = choice;
        let x_3 = x[i];
        let PLANE_word = u32(((i & 1) * 3 + gpucore_floor_mod_i32(x_3, 3)) * 2) + 6u;
        let PLANE = gpucore_tables[PLANE_word >> 2u][PLANE_word & 3u];
        let PLANE_word_2 = u32(((i & 1) * 3 + gpucore_floor_mod_i32(x_3, 3)) * 2 + 1) + 6u;
        let PLANE_2 = gpucore_tables[PLANE_word_2 >> 2u][PLANE_word_2 & 3u];
        let PLANE_3 = i64(u64(PLANE) | (u64(PLANE_2) << 32u));
        wide[i] = PLANE_3;
    }
}
