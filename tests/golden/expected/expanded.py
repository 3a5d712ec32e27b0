from gpucore.ir.arithmetic import cbrt as gpucore_cbrt, copysign as gpucore_copysign, dot_of_bytes as gpucore_dot_of_bytes, expm1 as gpucore_expm1, f32 as gpucore_f32, hypot as gpucore_hypot, ldexp as gpucore_ldexp, log1p as gpucore_log1p
f32_1_0 = gpucore_f32(1.0)

def expanded(x_memory, words_memory, out_memory, bits_memory, x_length, words_length, out_length, bits_length, x_shape_0, words_shape_0, out_shape_0, out_shape_1, bits_shape_0, bits_shape_1, workgroup_id, local_id, num_workgroups, x, words, out, bits):
    i = workgroup_id[0] * 64 + local_id[0]
    if i < x_shape_0:
        if not 0 <= i < x_shape_0:
            raise gpucore_out_of_range(0, (i,), (x_shape_0,), workgroup_id, local_id)
        x_2 = x_memory[i]
        if not (0 <= 0 < out_shape_0 and 0 <= i < out_shape_1):
            raise gpucore_out_of_range(1, (0, i), (out_shape_0, out_shape_1), workgroup_id, local_id)
        gpucore_1 = 0 * out_shape_1 + i
        out_memory[gpucore_1] = gpucore_hypot(x_2, f32_1_0)
        if not 0 <= i < x_shape_0:
            raise gpucore_out_of_range(2, (i,), (x_shape_0,), workgroup_id, local_id)
        x_3 = x_memory[i]
        if not 0 <= i < x_shape_0:
            raise gpucore_out_of_range(3, (i,), (x_shape_0,), workgroup_id, local_id)
        x_4 = x_memory[i]
        if not (0 <= 1 < out_shape_0 and 0 <= i < out_shape_1):
            raise gpucore_out_of_range(4, (1, i), (out_shape_0, out_shape_1), workgroup_id, local_id)
        gpucore_1 = (1 * out_shape_1 + i + 2147483648 & 4294967295) - 2147483648
        out_memory[gpucore_1] = gpucore_copysign(gpucore_ldexp(x_3, i), gpucore_cbrt(x_4))
        if not 0 <= i < x_shape_0:
            raise gpucore_out_of_range(5, (i,), (x_shape_0,), workgroup_id, local_id)
        x_5 = x_memory[i]
        if not 0 <= i < x_shape_0:
            raise gpucore_out_of_range(6, (i,), (x_shape_0,), workgroup_id, local_id)
        x_6 = x_memory[i]
        if not (0 <= 2 < out_shape_0 and 0 <= i < out_shape_1):
            raise gpucore_out_of_range(7, (2, i), (out_shape_0, out_shape_1), workgroup_id, local_id)
        gpucore_1 = ((2 * out_shape_1 + 2147483648 & 4294967295) - 2147483648 + i + 2147483648 & 4294967295) - 2147483648
        out_memory[gpucore_1] = gpucore_log1p(x_5) + gpucore_expm1(x_6)
        if not 0 <= i < words_shape_0:
            raise gpucore_out_of_range(8, (i,), (words_shape_0,), workgroup_id, local_id)
        words_2 = words_memory.item(i)
        if not (0 <= 0 < bits_shape_0 and 0 <= i < bits_shape_1):
            raise gpucore_out_of_range(9, (0, i), (bits_shape_0, bits_shape_1), workgroup_id, local_id)
        gpucore_1 = 0 * bits_shape_1 + i
        bits_memory[gpucore_1] = words_2 * 10 >> 32
        if not 0 <= i < words_shape_0:
            raise gpucore_out_of_range(10, (i,), (words_shape_0,), workgroup_id, local_id)
        words_3 = words_memory.item(i)
        if not (0 <= 1 < bits_shape_0 and 0 <= i < bits_shape_1):
            raise gpucore_out_of_range(11, (1, i), (bits_shape_0, bits_shape_1), workgroup_id, local_id)
        gpucore_1 = (1 * bits_shape_1 + i + 2147483648 & 4294967295) - 2147483648
        gpucore_2 = i & 4294967295
        bits_memory[gpucore_1] = ((words_3 & 4294967295) << (gpucore_2 & 31) | (words_3 & 4294967295) >> (-gpucore_2 & 31)) & 4294967295
        if not 0 <= i < words_shape_0:
            raise gpucore_out_of_range(12, (i,), (words_shape_0,), workgroup_id, local_id)
        words_4 = words_memory.item(i)
        if not 0 <= 0 < words_shape_0:
            raise gpucore_out_of_range(13, (0,), (words_shape_0,), workgroup_id, local_id)
        words_5 = words_memory.item(0)
        if not (0 <= 2 < bits_shape_0 and 0 <= i < bits_shape_1):
            raise gpucore_out_of_range(14, (2, i), (bits_shape_0, bits_shape_1), workgroup_id, local_id)
        gpucore_1 = ((2 * bits_shape_1 + 2147483648 & 4294967295) - 2147483648 + i + 2147483648 & 4294967295) - 2147483648
        bits_memory[gpucore_1] = gpucore_dot_of_bytes(words_4, words_5, False) & 4294967295
        if not 0 <= i < words_shape_0:
            raise gpucore_out_of_range(15, (i,), (words_shape_0,), workgroup_id, local_id)
        words_6 = words_memory.item(i)
        if not 0 <= 0 < words_shape_0:
            raise gpucore_out_of_range(16, (0,), (words_shape_0,), workgroup_id, local_id)
        words_7 = words_memory.item(0)
        if not (0 <= 3 < bits_shape_0 and 0 <= i < bits_shape_1):
            raise gpucore_out_of_range(17, (3, i), (bits_shape_0, bits_shape_1), workgroup_id, local_id)
        gpucore_1 = ((3 * bits_shape_1 + 2147483648 & 4294967295) - 2147483648 + i + 2147483648 & 4294967295) - 2147483648
        bits_memory[gpucore_1] = gpucore_dot_of_bytes(words_6, words_7, True) & 4294967295
