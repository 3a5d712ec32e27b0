@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> bits: array<u32>;
@group(0) @binding(2) var<storage, read_write> back: array<f32>;
@group(0) @binding(3) var<storage, read_write> wide: array<f64>;
@group(0) @binding(4) var<storage, read_write> counts: array<i64>;
struct gpucore_Scalars {
    @size(4) x_shape_0: i32,
    @size(12) called_workgroups: i32,
}
@group(0) @binding(5) var<uniform> gpucore_scalars: gpucore_Scalars;

fn gpucore_max_number_f32(a: f32, b: f32) -> f32 {
    return select(b, a, a > b);
}

fn gpucore_is_nan_f32(x: f32) -> bool {
    return (bitcast<u32>(x) & 2147483647u) > 2139095040u;
}

fn gpucore_to_u32_f32(x: f32) -> u32 {
    let whole = select(u32(x), 4294967295u, x >= 4.2949673e+09);
    return select(whole, 0u, gpucore_is_nan_f32(x));
}

fn gpucore_to_i32_f32(x: f32) -> i32 {
    let whole = select(i32(x), 2147483647, x >= 2.1474836e+09);
    return select(whole, 0, gpucore_is_nan_f32(x));
}

fn gpucore_min_number_f32(a: f32, b: f32) -> f32 {
    return select(b, a, a < b);
}

fn gpucore_is_nan_f64(x: f64) -> bool {
    return (bitcast<u64>(x) & 9223372036854775807lu) > 9218868437227405312lu;
}

fn gpucore_to_u32_f64(x: f64) -> u32 {
    let whole = select(u32(x), 4294967295u, x >= 4294967296.0lf);
    return select(whole, 0u, gpucore_is_nan_f64(x));
}

fn gpucore_to_u64_f64(x: f64) -> u64 {
    let high = gpucore_to_u32_f64(x * 2.3283064365386963e-10lf);
    let low = gpucore_to_u32_f64(x - f64(high) * 4294967296.0lf);
    return select((u64(high) << u32(32u)) | u64(low), 18446744073709551615lu, x >= 1.8446744073709552e+19lf);
}

fn gpucore_to_i64_f64(x: f64) -> i64 {
    let magnitude = bitcast<i64>(gpucore_to_u64_f64(abs(x)));
    let whole = select(magnitude, -magnitude, x < 0.0lf);
    let most = select(whole, 9223372036854775807li, x >= 9.223372036854776e+18lf);
    return select(most, (-9223372036854775807li - 1li), x <= -9.223372036854776e+18lf);
}

@compute @workgroup_size(64, 1, 1)
fn convert(@builtin(workgroup_id) gpucore_workgroup_id: vec3<u32>, @builtin(local_invocation_id) gpucore_local_id: vec3<u32>) {
    let x_shape_0 = gpucore_scalars.x_shape_0;
    let called_workgroups = gpucore_scalars.called_workgroups;
    let workgroup_id_x = i32(gpucore_workgroup_id.x);
    let local_id_x = i32(gpucore_local_id.x);
    let group = u32(workgroup_id_x) * 128u + u32(local_id_x);
    let launched = u32(called_workgroups) * 64u;
    if (group + 64u < launched) & (i32(group + 64u) < x_shape_0) {
        let group_2 = group + 64u;
        let x_2 = x[i32(group)];
        let wide_2 = wide[i32(group)];
        let counts_2 = counts[i32(group)];
        let x_3 = x[i32(group_2)];
        let wide_3 = wide[i32(group_2)];
        let counts_3 = counts[i32(group_2)];
        let value = gpucore_max_number_f32(x_2, 1.0);
        let word = bitcast<u32>(value) ^ 2147483648u;
        let bits_2 = word + gpucore_to_u32_f32(value * 1.5);
        let back_2 = gpucore_min_number_f32(f32(gpucore_to_i32_f32(value)), 3.4028234663852886e+38);
        let wide_4 = wide_2 + f64(value);
        let counts_4 = counts_2 + (gpucore_to_i64_f64(wide_4) << 33u);
        let value_2 = gpucore_max_number_f32(x_3, 1.0);
        let word_2 = bitcast<u32>(value_2) ^ 2147483648u;
        let bits_3 = word_2 + gpucore_to_u32_f32(value_2 * 1.5);
        let back_3 = gpucore_min_number_f32(f32(gpucore_to_i32_f32(value_2)), 3.4028234663852886e+38);
        let wide_5 = wide_3 + f64(value_2);
        let counts_5 = counts_3 + (gpucore_to_i64_f64(wide_5) << 33u);
        bits[i32(group)] = bits_2;
        back[i32(group)] = back_2;
        wide[i32(group)] = wide_4;
        counts[i32(group)] = counts_4;
        bits[i32(group_2)] = bits_3;
        back[i32(group_2)] = back_3;
        wide[i32(group_2)] = wide_5;
        counts[i32(group_2)] = counts_5;
    }
    else {
        let at_stop = min(launched, 2u);
        for (var at: u32 = 0u; at < at_stop; at += 1u) {
            let element = group + at * 64u;
            if element < launched {
                let i = i32(element);
                if i < x_shape_0 {
                    let x_4 = x[i];
                    let value_3 = gpucore_max_number_f32(x_4, 1.0);
                    let word_3 = bitcast<u32>(value_3) ^ 2147483648u;
                    bits[i] = word_3 + gpucore_to_u32_f32(value_3 * 1.5);
                    back[i] = gpucore_min_number_f32(f32(gpucore_to_i32_f32(value_3)), 3.4028234663852886e+38);
                    let wide_6 = wide[i];
                    wide[i] = wide_6 + f64(value_3);
                    let counts_6 = counts[i];
                    let wide_7 = wide[i];
                    counts[i] = counts_6 + (gpucore_to_i64_f64(wide_7) << 33u);
                }
            }
        }
    }
}
