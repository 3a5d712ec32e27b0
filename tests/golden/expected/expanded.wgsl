@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> words: array<u32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@group(0) @binding(3) var<storage, read_write> bits: array<u32>;
struct gpucore_Scalars {
    @size(4) x_shape_0: i32,
    @size(4) out_shape_1: i32,
    @size(8) bits_shape_1: i32,
}
@group(0) @binding(4) var<uniform> gpucore_scalars: gpucore_Scalars;

fn gpucore_max_number_f32(a: f32, b: f32) -> f32 {
    return select(b, a, a > b);
}

fn gpucore_bits_f32(x: u32) -> f32 {
    return bitcast<f32>(x);
}

fn gpucore_is_inf_f32(x: f32) -> bool {
    return (bitcast<u32>(x) & 2147483647u) == 2139095040u;
}

fn gpucore_divide_f32(a: f32, b: f32) -> f32 {
    let scale = select(1.0, 0.25, abs(b) > 4.2535296e+37);
    return (a * scale) / (b * scale);
}

@compute @workgroup_size(64, 1, 1)
fn expanded(@builtin(workgroup_id) gpucore_workgroup_id: vec3<u32>, @builtin(local_invocation_id) gpucore_local_id: vec3<u32>, @builtin(num_workgroups) gpucore_num_workgroups: vec3<u32>) {
    let x_shape_0 = gpucore_scalars.x_shape_0;
    let out_shape_1 = gpucore_scalars.out_shape_1;
    let bits_shape_1 = gpucore_scalars.bits_shape_1;
    let workgroup_id_x = i32(gpucore_workgroup_id.x);
    let local_id_x = i32(gpucore_local_id.x);
    let num_workgroups_x = i32(gpucore_num_workgroups.x);
    let opaque_zero = select(0u, 1u, (num_workgroups_x == 0));
    let i = workgroup_id_x * 64 + local_id_x;
    if i < x_shape_0 {
        let x_2 = x[i];
        let a = abs(x_2);
        let most = gpucore_max_number_f32(a, 1.0);
        let is_high = most > 1.1529215e+18;
        let factor = select(1.0, 8.4703295e-22, is_high);
        let a_2 = a * factor;
        out[i] = select(sqrt(bitcast<f32>(bitcast<u32>(a_2) | opaque_zero) * bitcast<f32>(bitcast<u32>(a_2) | opaque_zero) + factor * factor) * select(1.0, 1.1805916e+21, is_high), gpucore_bits_f32(0x7f800000u), gpucore_is_inf_f32(x_2));
        let x_3 = x[i];
        let x_4 = x[i];
        let rest = min(max(i, -378), 381);
        let part = min(max(rest, -126), 127);
        let rest_2 = rest - part;
        let part_2 = min(max(rest_2, -126), 127);
        let rest_3 = rest_2 - part_2;
        let part_3 = min(max(rest_3, -126), 127);
        let magnitude = abs(x_4);
        let is_small = magnitude < 7.888609e-31;
        let scaled = select(magnitude, magnitude * 16777216.0, is_small);
        let root = bitcast<f32>(bitcast<u32>(scaled) / 3u + 709958653u);
        let root_2 = root + bitcast<f32>(bitcast<u32>(gpucore_divide_f32(scaled, bitcast<f32>(bitcast<u32>(root * root) | opaque_zero)) - root) | opaque_zero) * 0.33333334;
        let root_3 = bitcast<f32>(bitcast<u32>(root_2) | opaque_zero) + bitcast<f32>(bitcast<u32>(gpucore_divide_f32(scaled, bitcast<f32>(bitcast<u32>(root_2 * root_2) | opaque_zero)) - bitcast<f32>(bitcast<u32>(root_2) | opaque_zero)) | opaque_zero) * 0.33333334;
        let root_4 = bitcast<f32>(bitcast<u32>(root_3) | opaque_zero) + bitcast<f32>(bitcast<u32>(gpucore_divide_f32(scaled, bitcast<f32>(bitcast<u32>(root_3 * root_3) | opaque_zero)) - bitcast<f32>(bitcast<u32>(root_3) | opaque_zero)) | opaque_zero) * 0.33333334;
        let root_5 = select(root_4, bitcast<f32>(bitcast<u32>(root_4) | opaque_zero) * 0.00390625, is_small);
        let argument = bitcast<f32>(bitcast<u32>(bitcast<f32>(bitcast<u32>(x_3 * bitcast<f32>((part_3 + 127) << 23u)) | opaque_zero) * bitcast<f32>((part_2 + 127) << 23u)) | opaque_zero) * bitcast<f32>((part + 127) << 23u);
        let argument_2 = select(x_4, select(root_5, -root_5, (x_4 < 0.0)), (magnitude > 0.0) & (magnitude < gpucore_bits_f32(0x7f800000u)));
        out[out_shape_1 + i] = bitcast<f32>((bitcast<u32>(argument) & 2147483647u) | (bitcast<u32>(argument_2) & 2147483648u));
        let x_5 = x[i];
        let x_6 = x[i];
        let sum = x_5 + 1.0;
        let bits_2 = bitcast<u32>(sum) + 4913933u;
        let exponent = f32(i32(bits_2 >> 23u) - 127);
        let is_near = (x_5 > -0.29) & (x_5 < 0.41);
        let f = select(bitcast<f32>((bits_2 & 8388607u) + 1060439283u) - 1.0, x_5, is_near);
        let s = gpucore_divide_f32(f, f + 2.0);
        let square = bitcast<f32>(bitcast<u32>(s) | opaque_zero) * bitcast<f32>(bitcast<u32>(s) | opaque_zero);
        let half = bitcast<f32>(bitcast<u32>(f * f) | opaque_zero) * 0.5;
        let near = f - bitcast<f32>(bitcast<u32>(half - bitcast<f32>(bitcast<u32>(s) | opaque_zero) * (half + bitcast<f32>(bitcast<u32>(square) | opaque_zero) * ((((0.18181819 * bitcast<f32>(bitcast<u32>(square) | opaque_zero) + 0.22222222) * bitcast<f32>(bitcast<u32>(square) | opaque_zero) + 0.2857143) * bitcast<f32>(bitcast<u32>(square) | opaque_zero) + 0.4) * bitcast<f32>(bitcast<u32>(square) | opaque_zero) + 0.6666667))) | opaque_zero);
        out[out_shape_1 * 2 + i] = select(log(sum), select(exponent * 0.69314575 + bitcast<f32>(bitcast<u32>(exponent * 1.4286068e-06 + near) | opaque_zero), near, is_near), (bitcast<f32>(bitcast<u32>(sum) | opaque_zero) > 0.0) & (bitcast<f32>(bitcast<u32>(sum) | opaque_zero) < gpucore_bits_f32(0x7f800000u))) + select(exp(x_6) - 1.0, x_6 * (((((((((2.755732e-07 * x_6 + 2.7557319e-06) * x_6 + 2.4801588e-05) * x_6 + 0.0001984127) * x_6 + 0.0013888889) * x_6 + 0.008333334) * x_6 + 0.041666668) * x_6 + 0.16666667) * x_6 + 0.5) * x_6 + 1.0), (abs(x_6) < 0.7));
        let words_2 = words[i];
        let a_low = words_2 & 65535u;
        let a_high = words_2 >> 16u;
        let middle = a_high * 10u + ((a_low * 10u) >> 16u);
        bits[i] = (middle >> 16u) + ((middle & 65535u) >> 16u);
        let words_3 = words[i];
        let argument_3 = u32(i);
        bits[bits_shape_1 + i] = (words_3 << (argument_3 & 31u)) | (words_3 >> ((0u - argument_3) & 31u));
        let words_4 = words[i];
        let words_5 = words[0];
        bits[bits_shape_1 * 2 + i] = (words_4 & 255u) * (words_5 & 255u) + ((words_4 >> 8u) & 255u) * ((words_5 >> 8u) & 255u) + ((words_4 >> 16u) & 255u) * ((words_5 >> 16u) & 255u) + ((words_4 >> 24u) & 255u) * ((words_5 >> 24u) & 255u);
        let words_6 = words[i];
        let words_7 = words[0];
        bits[bits_shape_1 * 3 + i] = u32((bitcast<i32>(words_6 << 24u) >> 24u) * (bitcast<i32>(words_7 << 24u) >> 24u) + (bitcast<i32>(words_6 << 16u) >> 24u) * (bitcast<i32>(words_7 << 16u) >> 24u) + (bitcast<i32>(words_6 << 8u) >> 24u) * (bitcast<i32>(words_7 << 8u) >> 24u) + (bitcast<i32>(words_6) >> 24u) * (bitcast<i32>(words_7) >> 24u));
    }
}
