@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> y: array<vec4<f32>>;
struct gpucore_Scalars {
    @size(4) a: f32,
    @size(4) y_shape_0: i32,
    @size(8) called_workgroups: i32,
}
@group(0) @binding(2) var<uniform> gpucore_scalars: gpucore_Scalars;

@compute @workgroup_size(256, 1, 1)
fn saxpy(@builtin(workgroup_id) gpucore_workgroup_id: vec3<u32>, @builtin(local_invocation_id) gpucore_local_id: vec3<u32>) {
    let a = gpucore_scalars.a;
    let y_shape_0 = gpucore_scalars.y_shape_0;
    let called_workgroups = gpucore_scalars.called_workgroups;
    let workgroup_id_x = i32(gpucore_workgroup_id.x);
    let local_id_x = i32(gpucore_local_id.x);
    let group = u32(workgroup_id_x) * 256u + u32(local_id_x);
    let launched = u32(called_workgroups) * 256u;
    if (group * 4u + 3u < launched) & (i32(group * 4u + 3u) < y_shape_0) {
        let x_2 = x[group];
        let y_2 = y[group];
        let y_3 = a * x_2.x + y_2.x;
        let y_4 = a * x_2.y + y_2.y;
        let y_5 = a * x_2.z + y_2.z;
        let y_6 = a * x_2.w + y_2.w;
        y[group] = vec4<f32>(y_3, y_4, y_5, y_6);
    }
    else {
        let at_stop = min(launched, 4u);
        for (var at: u32 = 0u; at < at_stop; at += 1u) {
            let element = (group + (at >> 2u) * 256u) * 4u + (at & 3u);
            if element < launched {
                let i = i32(element);
                if i < y_shape_0 {
                    let x_3 = x[u32(i) >> 2u][u32(i) & 3u];
                    let y_7 = y[u32(i) >> 2u][u32(i) & 3u];
                    y[u32(i) >> 2u][u32(i) & 3u] = a * x_3 + y_7;
                }
            }
        }
    }
}
