from gpucore.ir.arithmetic import f32 as gpucore_f32
f32_0_0 = gpucore_f32(0.0)
f32_0_125 = gpucore_f32(0.125)
f32_0_25 = gpucore_f32(0.25)
f32_0_5 = gpucore_f32(0.5)
f32_1_0 = gpucore_f32(1.0)

def polynomial(x_memory, y_memory, picks_memory, x_length, y_length, picks_length, x_shape_0, y_shape_0, picks_shape_0, workgroup_id, local_id, num_workgroups, x, y, picks):
    i = workgroup_id[0] * 64 + local_id[0]
    if i < x_shape_0:
        powers = [f32_0_0] * 4
        powers[0] = f32_1_0
        powers_2 = powers[0]
        if not 0 <= i < x_shape_0:
            raise gpucore_out_of_range(0, (i,), (x_shape_0,), workgroup_id, local_id)
        x_2 = x_memory[i]
        powers[1] = powers_2 * x_2
        powers_3 = powers[1]
        if not 0 <= i < x_shape_0:
            raise gpucore_out_of_range(1, (i,), (x_shape_0,), workgroup_id, local_id)
        x_3 = x_memory[i]
        powers[2] = powers_3 * x_3
        powers_4 = powers[2]
        if not 0 <= i < x_shape_0:
            raise gpucore_out_of_range(2, (i,), (x_shape_0,), workgroup_id, local_id)
        x_4 = x_memory[i]
        powers[3] = powers_4 * x_4
        total = f32_0_0
        powers_5 = powers[0]
        total = total + powers_5 * f32_1_0
        powers_6 = powers[1]
        total = total + powers_6 * f32_0_5
        powers_7 = powers[2]
        total = total + powers_7 * f32_0_25
        powers_8 = powers[3]
        total = total + powers_8 * f32_0_125
        table = [f32_0_0] * 8
        for k in range(8):
            if not 0 <= k < 8:
                raise gpucore_out_of_range(3, (k,), (8,), workgroup_id, local_id)
            table[k] = total + gpucore_f32(k)
        if not 0 <= i < picks_shape_0:
            raise gpucore_out_of_range(4, (i,), (picks_shape_0,), workgroup_id, local_id)
        picks_2 = picks_memory.item(i)
        gpucore_1 = ((picks_2 & 7) + 2147483648 & 4294967295) - 2147483648
        if not 0 <= gpucore_1 < 8:
            raise gpucore_out_of_range(5, (gpucore_1,), (8,), workgroup_id, local_id)
        gpucore_1 = ((picks_2 & 7) + 2147483648 & 4294967295) - 2147483648
        table_2 = table[gpucore_1]
        if not 0 <= i < y_shape_0:
            raise gpucore_out_of_range(6, (i,), (y_shape_0,), workgroup_id, local_id)
        y_memory[i] = table_2
