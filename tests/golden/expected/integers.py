from gpucore.ir.arithmetic import reverse_bits as gpucore_reverse_bits, trunc_div as gpucore_trunc_div, trunc_rem as gpucore_trunc_rem

def integers(a_memory, b_memory, c_memory, signed_memory, unsigned_memory, a_length, b_length, c_length, signed_length, unsigned_length, a_shape_0, b_shape_0, c_shape_0, signed_shape_0, unsigned_shape_0, workgroup_id, local_id, num_workgroups, a, b, c, signed, unsigned):
    return_taken = False
    i = workgroup_id[0] * 64 + local_id[0]
    if i >= signed_shape_0:
        return_taken = True
    else:
        if not 0 <= i < a_shape_0:
            raise gpucore_out_of_range(0, (i,), (a_shape_0,), workgroup_id, local_id)
        a_2 = a_memory.item(i)
        if not 0 <= i < b_shape_0:
            raise gpucore_out_of_range(1, (i,), (b_shape_0,), workgroup_id, local_id)
        b_2 = b_memory.item(i)
        if not 0 <= i < c_shape_0:
            raise gpucore_out_of_range(2, (i,), (c_shape_0,), workgroup_id, local_id)
        c_2 = c_memory.item(i)
        x = a_2
        y = b_2
        z = c_2
        item = (x // y + 2147483648 & 4294967295) - 2147483648 if y else x
        item_2 = x % y if y else 0
        quotient = item
        remainder = item_2
        truncated = ((gpucore_trunc_div(x, y) + 2147483648 & 4294967295) - 2147483648 + gpucore_trunc_rem(x, y) + 2147483648 & 4294967295) - 2147483648
        shifted = ((x << (y & 31)) + 2147483648 & 4294967295) - 2147483648 ^ x >> (y & 7 & 31)
        if not 0 <= i < signed_shape_0:
            raise gpucore_out_of_range(3, (i,), (signed_shape_0,), workgroup_id, local_id)
        signed_memory[i] = ((((((quotient * remainder + 2147483648 & 4294967295) - 2147483648 - truncated + 2147483648 & 4294967295) - 2147483648 + (shifted | ~x) + 2147483648 & 4294967295) - 2147483648 + x // 8 + 2147483648 & 4294967295) - 2147483648 + y % 8 + 2147483648 & 4294967295) - 2147483648 - ((abs(y) + 2147483648 & 4294967295) - 2147483648) + 2147483648 & 4294967295) - 2147483648
        if not 0 <= i < unsigned_shape_0:
            raise gpucore_out_of_range(4, (i,), (unsigned_shape_0,), workgroup_id, local_id)
        unsigned_memory[i] = (z // 10 + z % 10) * 2654435761 & 4294967295 ^ z >> 16 & ((z & 4294967295).bit_count() + (32 - (z & 4294967295).bit_length()) - ((z & -z).bit_length() - 1 if z else 32) & 4294967295) | gpucore_reverse_bits(z & 4294967295, 32) & 4294967295
