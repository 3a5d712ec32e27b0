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

fn gpucore_with_sign_f32(x: f32, y: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) | (bitcast<u32>(y) & 2147483648u));
}

fn gpucore_asin_part_f32(x: f32) -> f32 {
    let a = abs(x);
    let z = select(a * a, (1.0 - a) * 0.5, a > 0.5);
    let s = select(a, sqrt(z), a > 0.5);
    var p = 0.042166304;
    p = p * z + 0.024179516;
    p = p * z + 0.045470376;
    p = p * z + 0.074952975;
    p = p * z + 0.16666752;
    return s + s * (z * p);
}

fn gpucore_bits_f32(x: u32) -> f32 {
    return bitcast<f32>(x);
}

fn gpucore_asin_f32(x: f32) -> f32 {
    let p = gpucore_asin_part_f32(x);
    return select(gpucore_with_sign_f32(select(p, 1.57079633 - (p + p), abs(x) > 0.5), x), gpucore_bits_f32(0x7fc00000u), (bitcast<u32>(x) & 2147483647u) > 1065353216u);
}

fn gpucore_acos_f32(x: f32) -> f32 {
    let p = gpucore_asin_part_f32(x);
    let far = select(p + p, 3.1415927 - (p + p), x < 0.0);
    return select(select(1.57079633 - gpucore_with_sign_f32(p, x), far, abs(x) > 0.5), gpucore_bits_f32(0x7fc00000u), (bitcast<u32>(x) & 2147483647u) > 1065353216u);
}

fn gpucore_atan_part_f32(t: f32) -> f32 {
    let z = t * t;
    var p = -0.0017936183;
    p = p * z + 0.01091459;
    p = p * z + -0.031177817;
    p = p * z + 0.057957564;
    p = p * z + -0.08403449;
    p = p * z + 0.10952185;
    p = p * z + -0.14264241;
    p = p * z + 0.19998549;
    p = p * z + -0.333333;
    return t + t * (z * p);
}

fn gpucore_is_nan_f32(x: f32) -> bool {
    return (bitcast<u32>(x) & 2147483647u) > 2139095040u;
}

fn gpucore_atan_f32(x: f32) -> f32 {
    let a = abs(x);
    let r = gpucore_atan_part_f32(select(a, 1.0 / min(a, 1.0737418e+09), a > 1.0));
    return select(gpucore_with_sign_f32(select(r, 1.57079633 - r, a > 1.0), x), x, gpucore_is_nan_f32(x));
}

fn gpucore_atan2_f32(y: f32, x: f32) -> f32 {
    let steep = abs(y) > abs(x);
    let greater = select(abs(x), abs(y), steep);
    let smaller = select(abs(y), abs(x), steep);
    let scale = select(select(1.0, 1.1529215e+18, greater < 7.888609e-31), 8.6736174e-19, greater > 1.2676506e+30);
    let divisor = greater * scale;
    let divides = (divisor > 0.0) & (divisor <= 1.2676506e+30);
    let quotient = select(0.0, smaller * scale / divisor, divides);
    let t = select(quotient, 1.0, (smaller == greater) & (greater > 0.0));
    let q = gpucore_atan_part_f32(t);
    let r = select(q, 1.57079633 - q, steep);
    let turned = select(r, 3.1415927 - r, bitcast<i32>(x) < 0);
    return select(gpucore_with_sign_f32(turned, y), gpucore_bits_f32(0x7fc00000u), gpucore_is_nan_f32(y) | gpucore_is_nan_f32(x));
}

fn gpucore_sinh_f32(x: f32) -> f32 {
    let a = abs(x);
    let e = exp(a - 1.0) * 1.3591409;
    let t = clamp(x, -1.0, 1.0);
    let z = t * t;
    var p = 2.5526626e-08;
    p = p * z + 2.7552142e-06;
    p = p * z + 0.00019841295;
    p = p * z + 0.008333333;
    p = p * z + 0.16666667;
    let small = gpucore_with_sign_f32(abs(t + t * (z * p)), x);
    let result = select(small, gpucore_with_sign_f32(e - 0.25 / min(e, 1.1529215e+18), x), a > 1.0);
    return select(result, x, gpucore_is_nan_f32(x));
}

fn gpucore_tanh_f32(x: f32) -> f32 {
    let a = abs(x);
    let t = clamp(x, -0.625, 0.625);
    let z = t * t;
    var p = 0.0021429737;
    p = p * z + -0.008177412;
    p = p * z + 0.021700708;
    p = p * z + -0.053946763;
    p = p * z + 0.13333206;
    p = p * z + -0.3333333;
    let small = gpucore_with_sign_f32(abs(t + t * (z * p)), x);
    let result = select(small, gpucore_with_sign_f32(1.0 - 2.0 / (exp(2.0 * min(a, 10.0)) + 1.0), x), a > 0.625);
    return select(result, x, gpucore_is_nan_f32(x));
}

fn gpucore_pow_f32(x: f32, y: f32) -> f32 {
    let whole = y == floor(y);
    let odd = whole & !(y * 0.5 == floor(y * 0.5));
    let power = select(pow(abs(x), y), select(0.0, gpucore_bits_f32(0x7f800000u), y < 0.0), x == 0.0);
    let settled = ((abs(x) == 1.0) & (abs(y) == gpucore_bits_f32(0x7f800000u))) | (y == 0.0) | (x == 1.0);
    let exists = whole | (x == 0.0) | (abs(x) == gpucore_bits_f32(0x7f800000u));
    let negated = select(gpucore_bits_f32(0x7fc00000u), select(power, -power, odd), exists);
    let signed = select(power, negated, bitcast<i32>(x) < 0);
    return select(select(signed, gpucore_bits_f32(0x7fc00000u), gpucore_is_nan_f32(x) | gpucore_is_nan_f32(y)), 1.0, settled);
}

fn gpucore_sign_f32(x: f32) -> f32 {
    let above = select(0, 1, x > 0.0);
    let below = select(0, 1, x < 0.0);
    return f32(above - below);
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

fn gpucore_divide_f32(a: f32, b: f32) -> f32 {
    let scale = select(1.0, 0.25, abs(b) > 4.2535296e+37);
    return (a * scale) / (b * scale);
}

fn gpucore_is_inf_f32(x: f32) -> bool {
    return (bitcast<u32>(x) & 2147483647u) == 2139095040u;
}

@compute @workgroup_size(64, 1, 1)
fn mathematics(@builtin(workgroup_id) gpucore_workgroup_id: vec3<u32>, @builtin(local_invocation_id) gpucore_local_id: vec3<u32>, @builtin(num_workgroups) gpucore_num_workgroups: vec3<u32>) {
    let out_shape_0 = gpucore_scalars.out_shape_0;
    let workgroup_id_x = i32(gpucore_workgroup_id.x);
    let local_id_x = i32(gpucore_local_id.x);
    let num_workgroups_x = i32(gpucore_num_workgroups.x);
    let opaque_zero = select(0u, 1u, (num_workgroups_x == 0));
    let i = workgroup_id_x * 64 + local_id_x;
    if i < out_shape_0 {
        let x_2 = x[i];
        let y_2 = y[i];
        let total = bitcast<f32>(bitcast<u32>(bitcast<f32>(bitcast<u32>(bitcast<f32>(bitcast<u32>(bitcast<f32>(bitcast<u32>(bitcast<f32>(bitcast<u32>(sqrt(abs(x_2)) + inverseSqrt(abs(y_2) + 1.0)) | opaque_zero) + floor(x_2)) | opaque_zero) - ceil(y_2)) | opaque_zero) + round(x_2)) | opaque_zero) + trunc(y_2)) | opaque_zero) + fract(x_2);
        let total_2 = bitcast<f32>(bitcast<u32>(total) | opaque_zero) + bitcast<f32>(bitcast<u32>(bitcast<f32>(bitcast<u32>(bitcast<f32>(bitcast<u32>(sin(x_2) * cos(y_2) + tan(x_2)) | opaque_zero) + gpucore_asin_f32(gpucore_min_number_f32(gpucore_max_number_f32(x_2, -1.0), 1.0))) | opaque_zero) + gpucore_acos_f32(gpucore_min_number_f32(gpucore_max_number_f32(y_2, -1.0), 1.0))) | opaque_zero);
        let total_3 = bitcast<f32>(bitcast<u32>(total_2) | opaque_zero) + bitcast<f32>(bitcast<u32>(bitcast<f32>(bitcast<u32>(bitcast<f32>(bitcast<u32>(bitcast<f32>(bitcast<u32>(gpucore_atan_f32(x_2) + gpucore_atan2_f32(x_2, y_2)) | opaque_zero) + gpucore_sinh_f32(x_2)) | opaque_zero) + cosh(y_2)) | opaque_zero) + gpucore_tanh_f32(x_2)) | opaque_zero);
        let total_4 = bitcast<f32>(bitcast<u32>(total_3) | opaque_zero) + bitcast<f32>(bitcast<u32>(bitcast<f32>(bitcast<u32>(bitcast<f32>(bitcast<u32>(bitcast<f32>(bitcast<u32>(exp(x_2) + exp2(y_2)) | opaque_zero) + log(abs(x_2) + 1.0)) | opaque_zero) + log2(abs(y_2) + 1.0)) | opaque_zero) + gpucore_pow_f32(abs(x_2), y_2)) | opaque_zero);
        let total_5 = bitcast<f32>(bitcast<u32>(total_4) | opaque_zero) + bitcast<f32>(bitcast<u32>(bitcast<f32>(bitcast<u32>(bitcast<f32>(bitcast<u32>(bitcast<f32>(bitcast<u32>(fma(x_2, y_2, total_4)) | opaque_zero) + gpucore_sign_f32(x_2)) | opaque_zero) + gpucore_step_f32(x_2, y_2)) | opaque_zero) + gpucore_divide_f32(bitcast<f32>(bitcast<u32>(gpucore_min_f32(x_2, y_2) * gpucore_max_f32(x_2, y_2)) | opaque_zero), y_2 + 3.0)) | opaque_zero);
        let total_6 = select(total_5, 0.0, gpucore_is_nan_f32(total_5) | gpucore_is_inf_f32(total_5));
        out[i] = total_6;
        half[i] = f16(total_6);
    }
}
