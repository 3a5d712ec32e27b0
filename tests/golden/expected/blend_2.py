from gpucore.ir.arithmetic import f32 as gpucore_f32, float_max as gpucore_float_max, float_min as gpucore_float_min
f32_0_0 = gpucore_f32(0.0)
f32_1_0 = gpucore_f32(1.0)

def blend(x_memory, y_memory, x_length, y_length, x_shape_0, y_shape_0, how_weight, how_offset, how_invert, clamp, workgroup_id, local_id, num_workgroups, x, y):
    i = workgroup_id[0] * 64 + local_id[0]
    if i < y_shape_0:
        gpucore_1 = min((i + how_offset + 2147483648 & 4294967295) - 2147483648, x_shape_0 - 1)
        if not 0 <= gpucore_1 < x_shape_0:
            raise gpucore_out_of_range(0, (gpucore_1,), (x_shape_0,), workgroup_id, local_id)
        gpucore_1 = min((i + how_offset + 2147483648 & 4294967295) - 2147483648, x_shape_0 - 1)
        x_2 = x_memory[gpucore_1]
        value = x_2
        value = value * value
        condition = how_invert
        value = value * (f32_1_0 - how_weight) + (f32_1_0 - value) * how_weight if condition else value * how_weight
        condition_2 = clamp
        if not 0 <= i < y_shape_0:
            raise gpucore_out_of_range(1, (i,), (y_shape_0,), workgroup_id, local_id)
        y_memory[i] = gpucore_float_min(gpucore_float_max(value, f32_0_0), f32_1_0) if condition_2 else value
