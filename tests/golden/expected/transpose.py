def transpose(source_memory, target_memory, source_length, target_length, source_shape_0, source_shape_1, target_shape_0, target_shape_1, tile, workgroup_id, local_id, num_workgroups, source, target):
    item = workgroup_id[0] * 16 + local_id[0]
    item_2 = workgroup_id[1] * 16 + local_id[1]
    column = item
    row = item_2
    if row < source_shape_0 and column < source_shape_1:
        if not (0 <= row < source_shape_0 and 0 <= column < source_shape_1):
            raise gpucore_out_of_range(0, (row, column), (source_shape_0, source_shape_1), workgroup_id, local_id)
        gpucore_1 = ((row * source_shape_1 + 2147483648 & 4294967295) - 2147483648 + column + 2147483648 & 4294967295) - 2147483648
        source_2 = source_memory[gpucore_1]
        gpucore_1 = local_id[1]
        gpucore_2 = local_id[0]
        if not (0 <= gpucore_1 < 16 and 0 <= gpucore_2 < 17):
            raise gpucore_out_of_range(1, (gpucore_1, gpucore_2), (16, 17), workgroup_id, local_id)
        gpucore_1 = local_id[1] * 17 + local_id[0]
        tile[gpucore_1] = source_2
    yield 1
    column = workgroup_id[1] * 16 + local_id[0]
    row = workgroup_id[0] * 16 + local_id[1]
    if row < target_shape_0 and column < target_shape_1:
        gpucore_1 = local_id[0]
        gpucore_2 = local_id[1]
        if not (0 <= gpucore_1 < 16 and 0 <= gpucore_2 < 17):
            raise gpucore_out_of_range(2, (gpucore_1, gpucore_2), (16, 17), workgroup_id, local_id)
        gpucore_1 = local_id[0] * 17 + local_id[1]
        tile_2 = tile[gpucore_1]
        if not (0 <= row < target_shape_0 and 0 <= column < target_shape_1):
            raise gpucore_out_of_range(3, (row, column), (target_shape_0, target_shape_1), workgroup_id, local_id)
        gpucore_1 = ((row * target_shape_1 + 2147483648 & 4294967295) - 2147483648 + column + 2147483648 & 4294967295) - 2147483648
        target_memory[gpucore_1] = tile_2
