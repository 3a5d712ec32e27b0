@group(0) @binding(0) var<storage, read_write> places: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> speeds: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> energies: array<f32>;
struct gpucore_Scalars {
    @size(4) places_shape_0: i32,
    @size(4) seconds: f32,
    @size(8) called_workgroups: i32,
}
@group(0) @binding(3) var<uniform> gpucore_scalars: gpucore_Scalars;

fn gpucore_max_number_f32x4(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return select(b, a, a > b);
}

@compute @workgroup_size(64, 1, 1)
fn particles(@builtin(workgroup_id) gpucore_workgroup_id: vec3<u32>, @builtin(local_invocation_id) gpucore_local_id: vec3<u32>) {
    let places_shape_0 = gpucore_scalars.places_shape_0;
    let seconds = gpucore_scalars.seconds;
    let called_workgroups = gpucore_scalars.called_workgroups;
    let workgroup_id_x = i32(gpucore_workgroup_id.x);
    let local_id_x = i32(gpucore_local_id.x);
    let group = u32(workgroup_id_x) * 128u + u32(local_id_x);
    let launched = u32(called_workgroups) * 64u;
    if (group + 64u < launched) & (i32(group + 64u) < places_shape_0) {
        let group_2 = group + 64u;
        let places_2 = places[i32(group)];
        let speeds_2 = speeds[i32(group)];
        let places_3 = places[i32(group_2)];
        let speeds_3 = speeds[i32(group_2)];
        var place: vec4<f32> = places_2 + speeds_2 * vec4<f32>(seconds);
        if place.w < 0.0 {
            place = vec4<f32>(place.x, place.y, place.z, 0.0);
        }
        let places_4 = gpucore_max_number_f32x4(place, vec4<f32>(-1.0));
        let energies_2 = dot(speeds_2, speeds_2) * 0.5 + speeds_2.x;
        var place_2: vec4<f32> = places_3 + speeds_3 * vec4<f32>(seconds);
        if place_2.w < 0.0 {
            place_2 = vec4<f32>(place_2.x, place_2.y, place_2.z, 0.0);
        }
        let places_5 = gpucore_max_number_f32x4(place_2, vec4<f32>(-1.0));
        let energies_3 = dot(speeds_3, speeds_3) * 0.5 + speeds_3.x;
        places[i32(group)] = places_4;
        energies[i32(group)] = energies_2;
        places[i32(group_2)] = places_5;
        energies[i32(group_2)] = energies_3;
    }
    else {
        let at_stop = min(launched, 2u);
        for (var at: u32 = 0u; at < at_stop; at += 1u) {
            let element = group + at * 64u;
            if element < launched {
                let i = i32(element);
                if i < places_shape_0 {
                    let places_6 = places[i];
                    let speeds_4 = speeds[i];
                    var place_3: vec4<f32> = places_6 + speeds_4 * vec4<f32>(seconds);
                    if place_3.w < 0.0 {
                        place_3 = vec4<f32>(place_3.x, place_3.y, place_3.z, 0.0);
                    }
                    places[i] = gpucore_max_number_f32x4(place_3, vec4<f32>(-1.0));
                    energies[i] = dot(speeds_4, speeds_4) * 0.5 + speeds_4.x;
                }
            }
        }
    }
}
