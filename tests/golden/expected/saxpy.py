def saxpy(x, y, x_length, y_length, a, x_shape_0, y_shape_0, workgroup_id, local_id, num_workgroups):
    i = workgroup_id[0] * 256 + local_id[0]
    if i < y_shape_0:
        if i >= x_length:
            raise gpucore_out_of_range(0, i, x_length, workgroup_id, local_id)
        x_2 = x[i]
        if i >= y_length:
            raise gpucore_out_of_range(1, i, y_length, workgroup_id, local_id)
        y_2 = y[i]
        y[i] = a * x_2 + y_2
