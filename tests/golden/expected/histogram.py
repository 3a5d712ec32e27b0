def histogram(values_memory, bins_memory, extremes_memory, values_length, bins_length, extremes_length, values_shape_0, bins_shape_0, extremes_shape_0, counts, workgroup_id, local_id, num_workgroups, values, bins, extremes):
    item = local_id[0]
    item_2 = workgroup_id[0] * 256 + local_id[0]
    t = item
    i = item_2
    if not 0 <= t < 256:
        raise gpucore_out_of_range(0, (t,), (256,), workgroup_id, local_id)
    gpucore_old = counts[t]
    counts[t] = 0
    yield 1
    if i < values_shape_0:
        if not 0 <= i < values_shape_0:
            raise gpucore_out_of_range(1, (i,), (values_shape_0,), workgroup_id, local_id)
        values_2 = values_memory.item(i)
        value = ((values_2 & 255) + 2147483648 & 4294967295) - 2147483648
        if not 0 <= value < 256:
            raise gpucore_out_of_range(2, (value,), (256,), workgroup_id, local_id)
        before = counts[value]
        counts[value] = before + 1 & 4294967295
        if not 0 <= 0 < extremes_shape_0:
            raise gpucore_out_of_range(3, (0,), (extremes_shape_0,), workgroup_id, local_id)
        before_2 = extremes_memory.item(0)
        extremes_memory[0] = min(before_2, value)
        if not 0 <= 1 < extremes_shape_0:
            raise gpucore_out_of_range(4, (1,), (extremes_shape_0,), workgroup_id, local_id)
        before_3 = extremes_memory.item(1)
        extremes_memory[1] = max(before_3, value)
        if not 0 <= 2 < extremes_shape_0:
            raise gpucore_out_of_range(5, (2,), (extremes_shape_0,), workgroup_id, local_id)
        gpucore_1 = value + 1
        before_4 = extremes_memory.item(2)
        extremes_memory[2] = gpucore_1 if before_4 == 0 else before_4
        if before_4 == 0:
            if not 0 <= 3 < extremes_shape_0:
                raise gpucore_out_of_range(6, (3,), (extremes_shape_0,), workgroup_id, local_id)
            before_5 = extremes_memory.item(3)
            extremes_memory[3] = i
    yield 2
    if not 0 <= t < 256:
        raise gpucore_out_of_range(7, (t,), (256,), workgroup_id, local_id)
    before = counts[t]
    count = before
    if count > 0:
        if not 0 <= t < bins_shape_0:
            raise gpucore_out_of_range(8, (t,), (bins_shape_0,), workgroup_id, local_id)
        before_2 = bins_memory.item(t)
        bins_memory[t] = before_2 + count & 4294967295
