from gpucore.ir.arithmetic import arccos as gpucore_arccos, arcsin as gpucore_arcsin, arctan as gpucore_arctan, arctan2 as gpucore_arctan2, ceil as gpucore_ceil, cos as gpucore_cos, cosh as gpucore_cosh, exp as gpucore_exp, exp2 as gpucore_exp2, f16 as gpucore_f16, f32 as gpucore_f32, float_max as gpucore_float_max, float_min as gpucore_float_min, floor as gpucore_floor, fma as gpucore_fma, isinf as gpucore_isinf, log as gpucore_log, log2 as gpucore_log2, power as gpucore_power, rint as gpucore_rint, sign as gpucore_sign, sin as gpucore_sin, sinh as gpucore_sinh, sqrt as gpucore_sqrt, tan as gpucore_tan, tanh as gpucore_tanh, trunc as gpucore_trunc
f32_minus_1_0 = gpucore_f32(-1.0)
f32_0_0 = gpucore_f32(0.0)
f32_1_0 = gpucore_f32(1.0)
f32_3_0 = gpucore_f32(3.0)

def mathematics(x_memory, y_memory, out_memory, half_memory, x_length, y_length, out_length, half_length, x_shape_0, y_shape_0, out_shape_0, half_shape_0, workgroup_id, local_id, num_workgroups, x, y, out, half):
    return_taken = False
    i = workgroup_id[0] * 64 + local_id[0]
    if i >= out_shape_0:
        return_taken = True
    else:
        if not 0 <= i < x_shape_0:
            raise gpucore_out_of_range(0, (i,), (x_shape_0,), workgroup_id, local_id)
        x_2 = x_memory[i]
        if not 0 <= i < y_shape_0:
            raise gpucore_out_of_range(1, (i,), (y_shape_0,), workgroup_id, local_id)
        y_2 = y_memory[i]
        a = x_2
        b = y_2
        total = gpucore_sqrt(abs(a)) + f32_1_0 / gpucore_sqrt(abs(b) + f32_1_0) + gpucore_floor(a) - gpucore_ceil(b) + gpucore_rint(a) + gpucore_trunc(b) + (a - gpucore_floor(a))
        total = total + (gpucore_sin(a) * gpucore_cos(b) + gpucore_tan(a) + gpucore_arcsin(gpucore_float_min(gpucore_float_max(a, f32_minus_1_0), f32_1_0)) + gpucore_arccos(gpucore_float_min(gpucore_float_max(b, f32_minus_1_0), f32_1_0)))
        total = total + (gpucore_arctan(a) + gpucore_arctan2(a, b) + gpucore_sinh(a) + gpucore_cosh(b) + gpucore_tanh(a))
        total = total + (gpucore_exp(a) + gpucore_exp2(b) + gpucore_log(abs(a) + f32_1_0) + gpucore_log2(abs(b) + f32_1_0) + gpucore_power(abs(a), b))
        total = total + (gpucore_fma(a, b, total) + gpucore_sign(a) + (f32_1_0 if b >= a else f32_0_0) + gpucore_float_min(a, b) * gpucore_float_max(a, b) / (b + f32_3_0))
        total = f32_0_0 if total != total or gpucore_isinf(total) else total
        if not 0 <= i < out_shape_0:
            raise gpucore_out_of_range(2, (i,), (out_shape_0,), workgroup_id, local_id)
        out_memory[i] = total
        if not 0 <= i < half_shape_0:
            raise gpucore_out_of_range(3, (i,), (half_shape_0,), workgroup_id, local_id)
        half_memory[i] = gpucore_f16(total)
