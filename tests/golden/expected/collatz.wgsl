@group(0) @binding(0) var<storage, read> starts: array<u32>;
@group(0) @binding(1) var<storage, read_write> steps: array<i32>;
struct gpucore_Scalars {
    @size(4) starts_shape_0: i32,
    @size(12) limit: i32,
}
@group(0) @binding(2) var<uniform> gpucore_scalars: gpucore_Scalars;

@compute @workgroup_size(64, 1, 1)
fn collatz(@builtin(workgroup_id) gpucore_workgroup_id: vec3<u32>, @builtin(local_invocation_id) gpucore_local_id: vec3<u32>) {
    let starts_shape_0 = gpucore_scalars.starts_shape_0;
    let limit = gpucore_scalars.limit;
    let workgroup_id_x = i32(gpucore_workgroup_id.x);
    let local_id_x = i32(gpucore_local_id.x);
    let i = workgroup_id_x * 64 + local_id_x;
    if i < starts_shape_0 {
        let starts_2 = starts[i];
        var value: u32 = starts_2;
        var count: i32 = 0;
        loop {
            if (value <= 1u) | (count >= limit) {
                break;
            }
            count = count + 1;
            if (value & 1u) == 0u {
                value = value >> 1u;
                continue;
            }
            value = value * 3u + 1u;
        }
        var bonus: i32 = 0;
        for (var trip: u32 = 0u; trip < 4u; trip += 1u) {
            let k = i32(trip) * -3 + 10;
            let condition = (k & 1) == 0;
            bonus = bonus + select(-1, k, condition);
        }
        steps[i] = count + bonus;
    }
}
