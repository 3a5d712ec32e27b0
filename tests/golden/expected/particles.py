from gpucore.ir.arithmetic import f32 as gpucore_f32, float_max as gpucore_float_max
f32_minus_1_0 = gpucore_f32(-1.0)
f32_0_0 = gpucore_f32(0.0)
f32_0_5 = gpucore_f32(0.5)

def particles(places_memory, speeds_memory, energies_memory, places_length, speeds_length, energies_length, places_shape_0, speeds_shape_0, energies_shape_0, seconds, workgroup_id, local_id, num_workgroups, places, speeds, energies):
    i = workgroup_id[0] * 64 + local_id[0]
    if i < places_shape_0:
        if not 0 <= i < places_shape_0:
            raise gpucore_out_of_range(0, (i,), (places_shape_0,), workgroup_id, local_id)
        places_2 = (places_memory[i, 0], places_memory[i, 1], places_memory[i, 2], places_memory[i, 3])
        if not 0 <= i < speeds_shape_0:
            raise gpucore_out_of_range(1, (i,), (speeds_shape_0,), workgroup_id, local_id)
        speeds_2 = (speeds_memory[i, 0], speeds_memory[i, 1], speeds_memory[i, 2], speeds_memory[i, 3])
        place = places_2
        speed = speeds_2
        place = (place[0] + speed[0] * seconds, place[1] + speed[1] * seconds, place[2] + speed[2] * seconds, place[3] + speed[3] * seconds)
        if place[3] < f32_0_0:
            place = (place[0], place[1], place[2], f32_0_0)
        if not 0 <= i < places_shape_0:
            raise gpucore_out_of_range(2, (i,), (places_shape_0,), workgroup_id, local_id)
        places_memory[i, 0], places_memory[i, 1], places_memory[i, 2], places_memory[i, 3] = (gpucore_float_max(place[0], f32_minus_1_0), gpucore_float_max(place[1], f32_minus_1_0), gpucore_float_max(place[2], f32_minus_1_0), gpucore_float_max(place[3], f32_minus_1_0))
        if not 0 <= i < energies_shape_0:
            raise gpucore_out_of_range(3, (i,), (energies_shape_0,), workgroup_id, local_id)
        energies_memory[i] = (speed[0] * speed[0] + speed[1] * speed[1] + speed[2] * speed[2] + speed[3] * speed[3]) * f32_0_5 + speed[0]
