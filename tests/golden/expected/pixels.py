def pixels(gray_memory, image_memory, edges_memory, gray_length, image_length, edges_length, gray_shape_0, image_shape_0, edges_shape_0, workgroup_id, local_id, num_workgroups, gray, image, edges):
    i = workgroup_id[0] * 64 + local_id[0]
    if i < image_shape_0:
        if not 0 <= i < gray_shape_0:
            raise gpucore_out_of_range(0, (i,), (gray_shape_0,), workgroup_id, local_id)
        gray_2 = gray_memory.item(i)
        if not 0 <= i < gray_shape_0:
            raise gpucore_out_of_range(1, (i,), (gray_shape_0,), workgroup_id, local_id)
        gray_3 = gray_memory.item(i)
        if not 0 <= i < gray_shape_0:
            raise gpucore_out_of_range(2, (i,), (gray_shape_0,), workgroup_id, local_id)
        gray_4 = gray_memory.item(i)
        r = gray_2
        g = gray_3
        b = 255 - gray_4 & 255
        a = -1
        if not 0 <= i < image_shape_0:
            raise gpucore_out_of_range(3, (i,), (image_shape_0,), workgroup_id, local_id)
        image_memory['r'][i] = r
        if not 0 <= i < image_shape_0:
            raise gpucore_out_of_range(4, (i,), (image_shape_0,), workgroup_id, local_id)
        image_memory['g'][i] = g
        if not 0 <= i < image_shape_0:
            raise gpucore_out_of_range(5, (i,), (image_shape_0,), workgroup_id, local_id)
        image_memory['b'][i] = b
        if not 0 <= i < image_shape_0:
            raise gpucore_out_of_range(6, (i,), (image_shape_0,), workgroup_id, local_id)
        image_memory['a'][i] = a
        if not 0 <= i < gray_shape_0:
            raise gpucore_out_of_range(7, (i,), (gray_shape_0,), workgroup_id, local_id)
        gray_5 = gray_memory.item(i)
        if not 0 <= i < image_shape_0:
            raise gpucore_out_of_range(8, (i,), (image_shape_0,), workgroup_id, local_id)
        image_memory['g'][i] = gray_5 // 2 & 255
    if ((2 * i + 2147483648 & 4294967295) - 2147483648 + 1 + 2147483648 & 4294967295) - 2147483648 < edges_shape_0:
        gpucore_1 = (2 * i + 2147483648 & 4294967295) - 2147483648
        if not 0 <= gpucore_1 < edges_shape_0:
            raise gpucore_out_of_range(9, (gpucore_1,), (edges_shape_0,), workgroup_id, local_id)
        gpucore_1 = (2 * i + 2147483648 & 4294967295) - 2147483648
        edges_memory[gpucore_1] = (i + 32768 & 65535) - 32768
        gpucore_1 = ((2 * i + 2147483648 & 4294967295) - 2147483648 + 1 + 2147483648 & 4294967295) - 2147483648
        if not 0 <= gpucore_1 < edges_shape_0:
            raise gpucore_out_of_range(10, (gpucore_1,), (edges_shape_0,), workgroup_id, local_id)
        gpucore_1 = ((2 * i + 2147483648 & 4294967295) - 2147483648 + 1 + 2147483648 & 4294967295) - 2147483648
        edges_memory[gpucore_1] = ((-i + 2147483648 & 4294967295) - 2147483648 + 32768 & 65535) - 32768
