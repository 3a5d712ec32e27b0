def saxpy(x_memory, y_memory, x_length, y_length, a, x_shape_0, y_shape_0, workgroup_id, local_id, num_workgroups, x, y):
    i = workgroup_id[0] * 256 + local_id[0]
    if i < y_shape_0:
        if not 0 <= i < x_shape_0:
            raise gpucore_out_of_range(0, (i,), (x_shape_0,), workgroup_id, local_id)
        x_2 = x_memory[i]
        if not 0 <= i < y_shape_0:
            raise gpucore_out_of_range(1, (i,), (y_shape_0,), workgroup_id, local_id)
        y_2 = y_memory[i]
        if not 0 <= i < y_shape_0:
            raise gpucore_out_of_range(2, (i,), (y_shape_0,), workgroup_id, local_id)
        y_memory[i] = a * x_2 + y_2
