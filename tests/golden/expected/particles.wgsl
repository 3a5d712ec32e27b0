@group(0) @binding(0) var<storage, read_write> places: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> speeds: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> energies: array<f32>;
struct gpucore_Scalars {
    @size(4) places_shape_0: i32,
    @size(12) seconds: f32,
}
@group(0) @binding(3) var<uniform> gpucore_scalars: gpucore_Scalars;

fn gpucore_max_number_f32x4(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return select(b, a, a > b);
}

@compute @workgroup_size(64, 1, 1)
fn particles(@builtin(workgroup_id) gpucore_workgroup_id: vec3<u32>, @builtin(local_invocation_id) gpucore_local_id: vec3<u32>) {
    let places_shape_0 = gpucore_scalars.places_shape_0;
    let seconds = gpucore_scalars.seconds;
    let workgroup_id_x = i32(gpucore_workgroup_id.x);
    let local_id_x = i32(gpucore_local_id.x);
    let i = workgroup_id_x * 64 + local_id_x;
    if i < places_shape_0 {
        let places_2 = places[i];
        let speeds_2 = speeds[i];
        var place: vec4<f32> = places_2 + speeds_2 * vec4<f32>(seconds);
        if place.w < 0.0 {
            place = vec4<f32>(place.x, place.y, place.z, 0.0);
        }
        places[i] = gpucore_max_number_f32x4(place, vec4<f32>(-1.0));
        energies[i] = dot(speeds_2, speeds_2) * 0.5 + speeds_2.x;
    }
}
