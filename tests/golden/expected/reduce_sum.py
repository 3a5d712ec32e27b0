from gpucore.ir.arithmetic import f32 as gpucore_f32
f32_0_0 = gpucore_f32(0.0)

def reduce_sum(x_memory, sums_memory, x_length, sums_length, x_shape_0, sums_shape_0, shared, workgroup_id, local_id, num_workgroups, x, sums):
    item = local_id[0]
    item_2 = workgroup_id[0] * 128 + local_id[0]
    t = item
    i = item_2
    condition = i < x_shape_0
    if condition:
        if not 0 <= i < x_shape_0:
            raise gpucore_out_of_range(0, (i,), (x_shape_0,), workgroup_id, local_id)
        x_2 = x_memory[i]
        choice = x_2
    else:
        choice = f32_0_0
    choice_2 = choice
    if not 0 <= t < 128:
        raise gpucore_out_of_range(1, (t,), (128,), workgroup_id, local_id)
    shared[t] = choice_2
    yield 1
    half = 64
    while True:
        if not half > 0:
            break
        if t < half:
            if not 0 <= t < 128:
                raise gpucore_out_of_range(2, (t,), (128,), workgroup_id, local_id)
            shared_2 = shared[t]
            gpucore_1 = (t + half + 2147483648 & 4294967295) - 2147483648
            if not 0 <= gpucore_1 < 128:
                raise gpucore_out_of_range(3, (gpucore_1,), (128,), workgroup_id, local_id)
            gpucore_1 = (t + half + 2147483648 & 4294967295) - 2147483648
            shared_3 = shared[gpucore_1]
            if not 0 <= t < 128:
                raise gpucore_out_of_range(4, (t,), (128,), workgroup_id, local_id)
            shared[t] = shared_2 + shared_3
        yield 2
        half = half // 2
    if t == 0:
        shared_2 = shared[0]
        gpucore_1 = workgroup_id[0]
        if not 0 <= gpucore_1 < sums_shape_0:
            raise gpucore_out_of_range(5, (gpucore_1,), (sums_shape_0,), workgroup_id, local_id)
        gpucore_1 = workgroup_id[0]
        sums_memory[gpucore_1] = shared_2
