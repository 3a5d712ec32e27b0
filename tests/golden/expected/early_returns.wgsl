@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> classes: array<i32>;
struct gpucore_Scalars {
    @size(4) x_shape_0: i32,
    @size(4) low: f32,
    @size(8) high: f32,
}
@group(0) @binding(2) var<uniform> gpucore_scalars: gpucore_Scalars;

fn gpucore_is_nan_f32(x: f32) -> bool {
    return (bitcast<u32>(x) & 2147483647u) > 2139095040u;
}

@compute @workgroup_size(64, 1, 1)
fn early_returns(@builtin(workgroup_id) gpucore_workgroup_id: vec3<u32>, @builtin(local_invocation_id) gpucore_local_id: vec3<u32>) {
    let x_shape_0 = gpucore_scalars.x_shape_0;
    let low = gpucore_scalars.low;
    let high = gpucore_scalars.high;
    let workgroup_id_x = i32(gpucore_workgroup_id.x);
    let local_id_x = i32(gpucore_local_id.x);
    let i = workgroup_id_x * 64 + local_id_x;
    if i < x_shape_0 {
        let x_2 = x[i];
        if gpucore_is_nan_f32(x_2) {
            classes[i] = -2;
        }
        else {
            let x_3 = x[i];
            var classify_return_taken: bool = false;
            var classify_result: i32;
            if x_3 < low {
                classify_result = -1;
                classify_return_taken = true;
            }
            else {
                for (var k: i32 = 0; k < 3; k += 1) {
                    if x_3 > high * f32(k + 1) {
                        classify_result = k;
                        classify_return_taken = true;
                        break;
                    }
                }
                if !classify_return_taken {
                    classify_result = 7;
                    classify_return_taken = true;
                }
            }
            classes[i] = classify_result;
        }
    }
}
