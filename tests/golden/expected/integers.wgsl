@group(0) @binding(0) var<storage, read> a: array<vec4<i32>>;
@group(0) @binding(1) var<storage, read> b: array<vec4<i32>>;
@group(0) @binding(2) var<storage, read> c: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> signed: array<vec4<i32>>;
@group(0) @binding(4) var<storage, read_write> unsigned: array<vec4<u32>>;
struct gpucore_Scalars {
    @size(4) signed_shape_0: i32,
    @size(12) called_workgroups: i32,
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
    let called_workgroups = gpucore_scalars.called_workgroups;
    let workgroup_id_x = i32(gpucore_workgroup_id.x);
    let local_id_x = i32(gpucore_local_id.x);
    let group = u32(workgroup_id_x) * 64u + u32(local_id_x);
    let launched = u32(called_workgroups) * 64u;
    if (group * 4u + 3u < launched) & (i32(group * 4u + 3u) < signed_shape_0) {
        let a_2 = a[group];
        let b_2 = b[group];
        let c_2 = c[group];
        let item = gpucore_floor_div_i32(a_2.x, b_2.x);
        let item_2 = gpucore_floor_mod_i32(a_2.x, b_2.x);
        let truncated = a_2.x / b_2.x + gpucore_trunc_rem_i32(a_2.x, b_2.x);
        let shifted = (a_2.x << (u32(b_2.x) & 31u)) ^ (a_2.x >> (u32(b_2.x & 7) & 31u));
        let signed_2 = item * item_2 - truncated + (shifted | ~a_2.x) + (a_2.x >> 3u) + (b_2.x & 7) - abs(b_2.x);
        let unsigned_2 = (((c_2.x / 10u + c_2.x % 10u) * 2654435761u) ^ ((c_2.x >> 16u) & (countOneBits(c_2.x) + countLeadingZeros(c_2.x) - countTrailingZeros(c_2.x)))) | reverseBits(c_2.x);
        let item_3 = gpucore_floor_div_i32(a_2.y, b_2.y);
        let item_4 = gpucore_floor_mod_i32(a_2.y, b_2.y);
        let truncated_2 = a_2.y / b_2.y + gpucore_trunc_rem_i32(a_2.y, b_2.y);
        let shifted_2 = (a_2.y << (u32(b_2.y) & 31u)) ^ (a_2.y >> (u32(b_2.y & 7) & 31u));
        let signed_3 = item_3 * item_4 - truncated_2 + (shifted_2 | ~a_2.y) + (a_2.y >> 3u) + (b_2.y & 7) - abs(b_2.y);
        let unsigned_3 = (((c_2.y / 10u + c_2.y % 10u) * 2654435761u) ^ ((c_2.y >> 16u) & (countOneBits(c_2.y) + countLeadingZeros(c_2.y) - countTrailingZeros(c_2.y)))) | reverseBits(c_2.y);
        let item_5 = gpucore_floor_div_i32(a_2.z, b_2.z);
        let item_6 = gpucore_floor_mod_i32(a_2.z, b_2.z);
        let truncated_3 = a_2.z / b_2.z + gpucore_trunc_rem_i32(a_2.z, b_2.z);
        let shifted_3 = (a_2.z << (u32(b_2.z) & 31u)) ^ (a_2.z >> (u32(b_2.z & 7) & 31u));
        let signed_4 = item_5 * item_6 - truncated_3 + (shifted_3 | ~a_2.z) + (a_2.z >> 3u) + (b_2.z & 7) - abs(b_2.z);
        let unsigned_4 = (((c_2.z / 10u + c_2.z % 10u) * 2654435761u) ^ ((c_2.z >> 16u) & (countOneBits(c_2.z) + countLeadingZeros(c_2.z) - countTrailingZeros(c_2.z)))) | reverseBits(c_2.z);
        let item_7 = gpucore_floor_div_i32(a_2.w, b_2.w);
        let item_8 = gpucore_floor_mod_i32(a_2.w, b_2.w);
        let truncated_4 = a_2.w / b_2.w + gpucore_trunc_rem_i32(a_2.w, b_2.w);
        let shifted_4 = (a_2.w << (u32(b_2.w) & 31u)) ^ (a_2.w >> (u32(b_2.w & 7) & 31u));
        let signed_5 = item_7 * item_8 - truncated_4 + (shifted_4 | ~a_2.w) + (a_2.w >> 3u) + (b_2.w & 7) - abs(b_2.w);
        let unsigned_5 = (((c_2.w / 10u + c_2.w % 10u) * 2654435761u) ^ ((c_2.w >> 16u) & (countOneBits(c_2.w) + countLeadingZeros(c_2.w) - countTrailingZeros(c_2.w)))) | reverseBits(c_2.w);
        signed[group] = vec4<i32>(signed_2, signed_3, signed_4, signed_5);
        unsigned[group] = vec4<u32>(unsigned_2, unsigned_3, unsigned_4, unsigned_5);
    }
    else {
        let at_stop = min(launched, 4u);
        for (var at: u32 = 0u; at < at_stop; at += 1u) {
            let element = (group + (at >> 2u) * 64u) * 4u + (at & 3u);
            if element < launched {
                let i = i32(element);
                if i < signed_shape_0 {
                    let a_3 = a[u32(i) >> 2u][u32(i) & 3u];
                    let b_3 = b[u32(i) >> 2u][u32(i) & 3u];
                    let c_3 = c[u32(i) >> 2u][u32(i) & 3u];
                    let item_9 = gpucore_floor_div_i32(a_3, b_3);
                    let item_10 = gpucore_floor_mod_i32(a_3, b_3);
                    let truncated_5 = a_3 / b_3 + gpucore_trunc_rem_i32(a_3, b_3);
                    let shifted_5 = (a_3 << (u32(b_3) & 31u)) ^ (a_3 >> (u32(b_3 & 7) & 31u));
                    signed[u32(i) >> 2u][u32(i) & 3u] = item_9 * item_10 - truncated_5 + (shifted_5 | ~a_3) + (a_3 >> 3u) + (b_3 & 7) - abs(b_3);
                    unsigned[u32(i) >> 2u][u32(i) & 3u] = (((c_3 / 10u + c_3 % 10u) * 2654435761u) ^ ((c_3 >> 16u) & (countOneBits(c_3) + countLeadingZeros(c_3) - countTrailingZeros(c_3)))) | reverseBits(c_3);
                }
            }
        }
    }
}
