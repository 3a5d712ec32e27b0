@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> bits: array<u32>;
@group(0) @binding(2) var<storage, read_write> back: array<f32>;
@group(0) @binding(3) var<storage, read_write> wide: array<f64>;
@group(0) @binding(4) var<storage, read_write> counts: array<i64>;
struct gpucore_Scalars {
    @size(16) x_shape_0: i32,
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
    let workgroup_id_x = i32(gpucore_workgroup_id.x);
    let local_id_x = i32(gpucore_local_id.x);
    let i = workgroup_id_x * 64 + local_id_x;
    if i < x_shape_0 {
        let x_2 = x[i];
        let value = gpucore_max_number_f32(x_2, 1.0);
        let word = bitcast<u32>(value) ^ 2147483648u;
        bits[i] = word + gpucore_to_u32_f32(value * 1.5);
        back[i] = gpucore_min_number_f32(f32(gpucore_to_i32_f32(value)), 3.4028235e+38);
        let wide_2 = wide[i];
        wide[i] = wide_2 + f64(value);
        let counts_2 = counts[i];
        let wide_3 = wide[i];
        counts[i] = counts_2 + (gpucore_to_i64_f64(wide_3) << 33u);
    }
}
