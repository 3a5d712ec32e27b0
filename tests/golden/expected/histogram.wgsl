@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> bins: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read_write> extremes: array<atomic<i32>>;
struct gpucore_Scalars {
    @size(16) values_shape_0: i32,
}
@group(0) @binding(3) var<uniform> gpucore_scalars: gpucore_Scalars;
var<workgroup> counts: array<atomic<u32>, 256>;

@compute @workgroup_size(256, 1, 1)
fn histogram(@builtin(workgroup_id) gpucore_workgroup_id: vec3<u32>, @builtin(local_invocation_id) gpucore_local_id: vec3<u32>) {
    let values_shape_0 = gpucore_scalars.values_shape_0;
    let workgroup_id_x = i32(gpucore_workgroup_id.x);
    let local_id_x = i32(gpucore_local_id.x);
    let item = workgroup_id_x * 256 + local_id_x;
    atomicStore(&counts[local_id_x], 0u);
    workgroupBarrier();
    if item < values_shape_0 {
        let values_2 = values[item];
        let value = i32(values_2 & 255u);
        atomicAdd(&counts[value], 1u);
        atomicMin(&extremes[0], value);
        atomicMax(&extremes[1], value);
        let before_comparand = 0;
        let before_operand = value + 1;
        let before_place = &extremes[2];
        var before_old: i32;
        loop {
            let before_attempt = atomicCompareExchangeWeak(before_place, before_comparand, before_operand);
            before_old = before_attempt.old_value;
            if before_attempt.exchanged | (before_old != before_comparand) { break; }
        }
        let before = before_old;
        if before == 0 {
            atomicExchange(&extremes[3], item);
        }
    }
    workgroupBarrier();
    let before_2 = atomicLoad(&counts[local_id_x]);
    if before_2 > 0u {
        atomicAdd(&bins[local_id_x], before_2);
    }
}
