@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
struct gpucore_Scalars {
    @size(4) x_shape_0: i32,
    @size(4) y_shape_0: i32,
    @size(4) how_weight: f32,
    @size(4) how_offset: i32,
    @size(4) how_invert: u32,
    @size(4) clamp: u32,
    @size(8) called_workgroups: i32,
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
    let called_workgroups = gpucore_scalars.called_workgroups;
    let workgroup_id_x = i32(gpucore_workgroup_id.x);
    let local_id_x = i32(gpucore_local_id.x);
    let num_workgroups_x = i32(gpucore_num_workgroups.x);
    let opaque_zero = select(0u, 1u, (num_workgroups_x == 0));
    let group = u32(workgroup_id_x) * 256u + u32(local_id_x);
    let launched = u32(called_workgroups) * 64u;
    if (group + 192u < launched) & (i32(group + 192u) < y_shape_0) {
        let group_2 = group + 64u;
        let group_3 = group + 128u;
        let group_4 = group + 192u;
        let i = i32(group);
        let x_2 = x[min(i + how_offset, x_shape_0 - 1)];
        let value = x_2 * x_2;
        let value_2 = select(bitcast<f32>(bitcast<u32>(value) | opaque_zero) * how_weight, gpucore_mix_f32(value, 1.0 - value, how_weight), how_invert);
        let y_2 = select(value_2, gpucore_min_number_f32(gpucore_max_number_f32(value_2, 0.0), 1.0), clamp);
        let i_2 = i32(group_2);
        let x_3 = x[min(i_2 + how_offset, x_shape_0 - 1)];
        let value_3 = x_3 * x_3;
        let value_4 = select(bitcast<f32>(bitcast<u32>(value_3) | opaque_zero) * how_weight, gpucore_mix_f32(value_3, 1.0 - value_3, how_weight), how_invert);
        let y_3 = select(value_4, gpucore_min_number_f32(gpucore_max_number_f32(value_4, 0.0), 1.0), clamp);
        let i_3 = i32(group_3);
        let x_4 = x[min(i_3 + how_offset, x_shape_0 - 1)];
        let value_5 = x_4 * x_4;
        let value_6 = select(bitcast<f32>(bitcast<u32>(value_5) | opaque_zero) * how_weight, gpucore_mix_f32(value_5, 1.0 - value_5, how_weight), how_invert);
        let y_4 = select(value_6, gpucore_min_number_f32(gpucore_max_number_f32(value_6, 0.0), 1.0), clamp);
        let i_4 = i32(group_4);
        let x_5 = x[min(i_4 + how_offset, x_shape_0 - 1)];
        let value_7 = x_5 * x_5;
        let value_8 = select(bitcast<f32>(bitcast<u32>(value_7) | opaque_zero) * how_weight, gpucore_mix_f32(value_7, 1.0 - value_7, how_weight), how_invert);
        let y_5 = select(value_8, gpucore_min_number_f32(gpucore_max_number_f32(value_8, 0.0), 1.0), clamp);
        y[i32(group)] = y_2;
        y[i32(group_2)] = y_3;
        y[i32(group_3)] = y_4;
        y[i32(group_4)] = y_5;
    }
    else {
        let at_stop = min(launched, 4u);
        for (var at: u32 = 0u; at < at_stop; at += 1u) {
            let element = group + at * 64u;
            if element < launched {
                let i_5 = i32(element);
                if i_5 < y_shape_0 {
                    let x_6 = x[min(i_5 + how_offset, x_shape_0 - 1)];
                    let value_9 = x_6 * x_6;
                    let value_10 = select(bitcast<f32>(bitcast<u32>(value_9) | opaque_zero) * how_weight, gpucore_mix_f32(value_9, 1.0 - value_9, how_weight), how_invert);
                    y[i_5] = select(value_10, gpucore_min_number_f32(gpucore_max_number_f32(value_10, 0.0), 1.0), clamp);
                }
            }
        }
    }
}
