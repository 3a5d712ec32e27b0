def collatz(starts_memory, steps_memory, starts_length, steps_length, starts_shape_0, steps_shape_0, limit, workgroup_id, local_id, num_workgroups, starts, steps):
    i = workgroup_id[0] * 64 + local_id[0]
    if i < starts_shape_0:
        if not 0 <= i < starts_shape_0:
            raise gpucore_out_of_range(0, (i,), (starts_shape_0,), workgroup_id, local_id)
        starts_2 = starts_memory.item(i)
        value = starts_2
        count = 0
        while True:
            if value <= 1 or count >= limit:
                break
            count = (count + 1 + 2147483648 & 4294967295) - 2147483648
            if value % 2 == 0:
                value = value // 2
                continue
            value = (3 * value & 4294967295) + 1 & 4294967295
        bonus = 0
        trips = 0 if -1 >= 10 else ((10 - -1 & 4294967295) - 1) // 3 + 1
        for trip in range(trips):
            k = 10 + ((trip + 2147483648 & 4294967295) - 2147483648) * -3
            condition = k % 2 == 0
            bonus = (bonus + (k if condition else -1) + 2147483648 & 4294967295) - 2147483648
        if not 0 <= i < steps_shape_0:
            raise gpucore_out_of_range(1, (i,), (steps_shape_0,), workgroup_id, local_id)
        steps_memory[i] = (count + bonus + 2147483648 & 4294967295) - 2147483648
