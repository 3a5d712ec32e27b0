enable f16;

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> y: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@group(0) @binding(3) var<storage, read_write> half: array<f16>;
struct gpucore_Scalars {
    @size(16) out_shape_0: i32,
}
@group(0) @binding(4) var<uniform> gpucore_scalars: gpucore_Scalars;

fn gpucore_max_number_f32(a: f32, b: f32) -> f32 {
    return select(b, a, a > b);
}

fn gpucore_min_number_f32(a: f32, b: f32) -> f32 {
    return select(b, a, a < b);
}

fn gpucore_bits_f32(x: u32) -> f32 {
    return bitcast<f32>(x);
}

fn gpucore_is_nan_f32(x: f32) -> bool {
    return (bitcast<u32>(x) & 2147483647u) > 2139095040u;
}

fn gpucore_pow_f32(x: f32, y: f32) -> f32 {
    let whole = y == floor(y);
    let odd = whole & !(y * 0.5 == floor(y * 0.5));
    let power = select(pow(abs(x), y), select(0.0, gpucore_bits_f32(0x7f800000u), y < 0.0), x == 0.0);
    let settled = ((abs(x) == 1.0) & (abs(y) == gpucore_bits_f32(0x7f800000u))) | (y == 0.0) | (x == 1.0);
    let signed = select(power, select(gpucore_bits_f32(0x7fc00000u), select(power, -power, odd), whole), x < 0.0);
    return select(select(signed, gpucore_bits_f32(0x7fc00000u), gpucore_is_nan_f32(x) | gpucore_is_nan_f32(y)), 1.0, settled);
}

fn gpucore_sign_f32(x: f32) -> f32 {
    return select(select(0.0, -1.0, x < 0.0), 1.0, x > 0.0);
}

fn gpucore_step_f32(edge: f32, x: f32) -> f32 {
    return select(0.0, 1.0, x >= edge);
}

fn gpucore_min_f32(a: f32, b: f32) -> f32 {
    return select(b, a, (a < b) | gpucore_is_nan_f32(b));
}

fn gpucore_max_f32(a: f32, b: f32) -> f32 {
    return select(b, a, (a > b) | gpucore_is_nan_f32(b));
}

fn gpucore_is_inf_f32(x: f32) -> bool {
    return (bitcast<u32>(x) & 2147483647u) == 2139095040u;
}

@compute @workgroup_size(64, 1, 1)
fn mathematics(@builtin(workgroup_id) gpucore_workgroup_id: vec3<u32>, @builtin(local_invocation_id) gpucore_local_id: vec3<u32>) {
    let out_shape_0 = gpucore_scalars.out_shape_0;
    let workgroup_id_x = i32(gpucore_workgroup_id.x);
    let local_id_x = i32(gpucore_local_id.x);
    let i = workgroup_id_x * 64 + local_id_x;
    if i < out_shape_0 {
        let x_2 = x[i];
        let y_2 = y[i];
        let total = sqrt(abs(x_2)) + inverseSqrt(abs(y_2) + 1.0) + floor(x_2) - ceil(y_2) + round(x_2) + trunc(y_2) + fract(x_2);
        let total_2 = total + (sin(x_2) * cos(y_2) + tan(x_2) + asin(gpucore_min_number_f32(gpucore_max_number_f32(x_2, -1.0), 1.0)) + acos(gpucore_min_number_f32(gpucore_max_number_f32(y_2, -1.0), 1.0)));
        let total_3 = total_2 + (atan(x_2) + atan2(x_2, y_2) + sinh(x_2) + cosh(y_2) + tanh(x_2));
        let total_4 = total_3 + (exp(x_2) + exp2(y_2) + log(abs(x_2) + 1.0) + log2(abs(y_2) + 1.0) + gpucore_pow_f32(abs(x_2), y_2));
        let total_5 = total_4 + (fma(x_2, y_2, total_4) + gpucore_sign_f32(x_2) + gpucore_step_f32(x_2, y_2) + gpucore_min_f32(x_2, y_2) * gpucore_max_f32(x_2, y_2) / (y_2 + 3.0));
        let total_6 = select(total_5, 0.0, gpucore_is_nan_f32(total_5) | gpucore_is_inf_f32(total_5));
        out[i] = total_6;
        half[i] = f16(total_6);
    }
}
