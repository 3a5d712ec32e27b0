def transpose(source, target, source_length, target_length, source_shape_0, source_shape_1, target_shape_0, target_shape_1, tile, workgroup_id, local_id, num_workgroups):
    item = workgroup_id[0] * 16 + local_id[0]
    item_2 = workgroup_id[1] * 16 + local_id[1]
    column = item
    row = item_2
    if row < source_shape_0 and column < source_shape_1:
        gpucore_1 = ((row * source_shape_1 + 2147483648 & 4294967295) - 2147483648 + column + 2147483648 & 4294967295) - 2147483648
        if not 0 <= gpucore_1 < source_length:
            raise gpucore_out_of_range(0, gpucore_1, source_length, workgroup_id, local_id)
        source_2 = source[gpucore_1]
        gpucore_1 = local_id[1] * 17 + local_id[0]
        tile[gpucore_1] = source_2
    yield 1
    column = workgroup_id[1] * 16 + local_id[0]
    row = workgroup_id[0] * 16 + local_id[1]
    if row < target_shape_0 and column < target_shape_1:
        gpucore_1 = local_id[0] * 17 + local_id[1]
        tile_2 = tile[gpucore_1]
        gpucore_1 = ((row * target_shape_1 + 2147483648 & 4294967295) - 2147483648 + column + 2147483648 & 4294967295) - 2147483648
        if not 0 <= gpucore_1 < target_length:
            raise gpucore_out_of_range(1, gpucore_1, target_length, workgroup_id, local_id)
        target[gpucore_1] = tile_2
