from gpucore.ir.arithmetic import f32 as gpucore_f32
f32_0_5 = gpucore_f32(0.5)
MARKS = (1, 0, 1)
WEIGHTS = tuple(map(gpucore_f32, (0.25, 0.5, -1.5)))
PLANE = (0, 1, 2, 3, 4, 5)

def tables(x_memory, out_memory, wide_memory, x_length, out_length, wide_length, x_shape_0, out_shape_0, wide_shape_0, workgroup_id, local_id, num_workgroups, x, out, wide):
    i = workgroup_id[0] * 64 + local_id[0]
    if i < x_shape_0:
        gpucore_1 = i % 3
        if not 0 <= gpucore_1 < 3:
            raise gpucore_out_of_range(0, (gpucore_1,), (3,), workgroup_id, local_id)
        gpucore_1 = i % 3
        MARKS_2 = MARKS[gpucore_1]
        condition = MARKS_2 != 0
        if condition:
            if not 0 <= i < x_shape_0:
                raise gpucore_out_of_range(1, (i,), (x_shape_0,), workgroup_id, local_id)
            x_2 = x_memory.item(i)
            gpucore_1 = x_2 % 3
            if not 0 <= gpucore_1 < 3:
                raise gpucore_out_of_range(2, (gpucore_1,), (3,), workgroup_id, local_id)
            gpucore_1 = x_2 % 3
            WEIGHTS_2 = WEIGHTS[gpucore_1]
            choice = WEIGHTS_2
        else:
            choice = f32_0_5
        choice_2 = choice
        if not 0 <= i < out_shape_0:
            raise gpucore_out_of_range(3, (i,), (out_shape_0,), workgroup_id, local_id)
        out_memory[i] = choice_2
        if not 0 <= i < x_shape_0:
            raise gpucore_out_of_range(4, (i,), (x_shape_0,), workgroup_id, local_id)
        x_2 = x_memory.item(i)
        gpucore_1 = i % 2
        gpucore_2 = x_2 % 3
        if not (0 <= gpucore_1 < 2 and 0 <= gpucore_2 < 3):
            raise gpucore_out_of_range(5, (gpucore_1, gpucore_2), (2, 3), workgroup_id, local_id)
        gpucore_1 = i % 2 * 3 + x_2 % 3
        PLANE_2 = PLANE[gpucore_1]
        if not 0 <= i < wide_shape_0:
            raise gpucore_out_of_range(6, (i,), (wide_shape_0,), workgroup_id, local_id)
        wide_memory[i] = PLANE_2
