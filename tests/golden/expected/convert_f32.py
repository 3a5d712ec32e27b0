from gpucore.ir.arithmetic import bits_of as gpucore_bits_of, f32 as gpucore_f32, f64 as gpucore_f64, float_max as gpucore_float_max, float_min as gpucore_float_min, int_from_float as gpucore_int_from_float
f32_1_0 = gpucore_f32(1.0)
f32_1_5 = gpucore_f32(1.5)
f32_3_4028234663852886e38 = gpucore_f32(3.4028234663852886e+38)

def convert(x_memory, bits_memory, back_memory, wide_memory, counts_memory, x_length, bits_length, back_length, wide_length, counts_length, x_shape_0, bits_shape_0, back_shape_0, wide_shape_0, counts_shape_0, workgroup_id, local_id, num_workgroups, x, bits, back, wide, counts):
    i = workgroup_id[0] * 64 + local_id[0]
    if i < x_shape_0:
        if not 0 <= i < x_shape_0:
            raise gpucore_out_of_range(0, (i,), (x_shape_0,), workgroup_id, local_id)
        x_2 = x_memory[i]
        value = gpucore_float_max(x_2, f32_1_0)
        word = gpucore_bits_of(value) & 4294967295 ^ 2147483648
        if not 0 <= i < bits_shape_0:
            raise gpucore_out_of_range(1, (i,), (bits_shape_0,), workgroup_id, local_id)
        bits_memory[i] = word + gpucore_int_from_float(value * f32_1_5, 0, 4294967295) & 4294967295
        if not 0 <= i < back_shape_0:
            raise gpucore_out_of_range(2, (i,), (back_shape_0,), workgroup_id, local_id)
        back_memory[i] = gpucore_float_min(gpucore_f32(gpucore_int_from_float(value, -2147483648, 2147483647)), f32_3_4028234663852886e38)
        if not 0 <= i < wide_shape_0:
            raise gpucore_out_of_range(3, (i,), (wide_shape_0,), workgroup_id, local_id)
        wide_2 = wide_memory[i]
        if not 0 <= i < wide_shape_0:
            raise gpucore_out_of_range(4, (i,), (wide_shape_0,), workgroup_id, local_id)
        wide_memory[i] = wide_2 + gpucore_f64(value)
        if not 0 <= i < counts_shape_0:
            raise gpucore_out_of_range(5, (i,), (counts_shape_0,), workgroup_id, local_id)
        counts_2 = counts_memory.item(i)
        if not 0 <= i < wide_shape_0:
            raise gpucore_out_of_range(6, (i,), (wide_shape_0,), workgroup_id, local_id)
        wide_3 = wide_memory[i]
        if not 0 <= i < counts_shape_0:
            raise gpucore_out_of_range(7, (i,), (counts_shape_0,), workgroup_id, local_id)
        counts_memory[i] = (counts_2 + (((gpucore_int_from_float(wide_3, -9223372036854775808, 9223372036854775807) << 33) + 9223372036854775808 & 18446744073709551615) - 9223372036854775808) + 9223372036854775808 & 18446744073709551615) - 9223372036854775808
