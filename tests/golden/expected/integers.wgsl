@group(0) @binding(0) var<storage, read> a: array<i32>;
@group(0) @binding(1) var<storage, read> b: array<i32>;
@group(0) @binding(2) var<storage, read> c: array<u32>;
@group(0) @binding(3) var<storage, read_write> signed: array<i32>;
@group(0) @binding(4) var<storage, read_write> unsigned: array<u32>;
struct gpucore_Scalars {
    @size(16) signed_shape_0: i32,
}
@group(0) @binding(5) var<uniform> gpucore_scalars: gpucore_Scalars;

fn gpucore_trunc_rem_i32(a: i32, b: i32) -> i32 {
    return select(a - a / b * b, 0, b == 0);
}

fn gpucore_floor_div_i32(a: i32, b: i32) -> i32 {
    let q = a / b;
    let r = gpucore_trunc_rem_i32(a, b);
    return select(q, q - 1, (r != 0) & ((r ^ b) < 0));
}

fn gpucore_floor_mod_i32(a: i32, b: i32) -> i32 {
    let r = gpucore_trunc_rem_i32(a, b);
    return select(r, r + b, (r != 0) & ((r ^ b) < 0));
}

@compute @workgroup_size(64, 1, 1)
fn integers(@builtin(workgroup_id) gpucore_workgroup_id: vec3<u32>, @builtin(local_invocation_id) gpucore_local_id: vec3<u32>) {
    let signed_shape_0 = gpucore_scalars.signed_shape_0;
    let workgroup_id_x = i32(gpucore_workgroup_id.x);
    let local_id_x = i32(gpucore_local_id.x);
    let i = workgroup_id_x * 64 + local_id_x;
    if i < signed_shape_0 {
        let a_2 = a[i];
        let b_2 = b[i];
        let c_2 = c[i];
        let item = gpucore_floor_div_i32(a_2, b_2);
        let item_2 = gpucore_floor_mod_i32(a_2, b_2);
        let truncated = a_2 / b_2 + gpucore_trunc_rem_i32(a_2, b_2);
        let shifted = (a_2 << (u32(b_2) & 31u)) ^ (a_2 >> (u32(b_2 & 7) & 31u));
        signed[i] = item * item_2 - truncated + (shifted | ~a_2) + (a_2 >> 3u) + (b_2 & 7) - abs(b_2);
        unsigned[i] = (((c_2 / 10u + c_2 % 10u) * 2654435761u) ^ ((c_2 >> 16u) & (countOneBits(c_2) + countLeadingZeros(c_2) - countTrailingZeros(c_2)))) | reverseBits(c_2);
    }
}
