from gpucore.ir.arithmetic import f32 as gpucore_f32

def early_returns(x_memory, classes_memory, x_length, classes_length, x_shape_0, classes_shape_0, low, high, workgroup_id, local_id, num_workgroups, x, classes):
    return_taken = False
    i = workgroup_id[0] * 64 + local_id[0]
    if i >= x_shape_0:
        return_taken = True
    else:
        if not 0 <= i < x_shape_0:
            raise gpucore_out_of_range(0, (i,), (x_shape_0,), workgroup_id, local_id)
        x_2 = x_memory[i]
        if x_2 != x_2:
            if not 0 <= i < classes_shape_0:
                raise gpucore_out_of_range(1, (i,), (classes_shape_0,), workgroup_id, local_id)
            classes_memory[i] = -2
            return_taken = True
        else:
            if not 0 <= i < x_shape_0:
                raise gpucore_out_of_range(2, (i,), (x_shape_0,), workgroup_id, local_id)
            x_3 = x_memory[i]
            classify_return_taken = False
            if x_3 < low:
                classify_result = -1
                classify_return_taken = True
            else:
                for k in range(3):
                    if x_3 > high * gpucore_f32(k + 1):
                        classify_result = k
                        classify_return_taken = True
                        break
                if not classify_return_taken:
                    classify_result = 7
                    classify_return_taken = True
            if not 0 <= i < classes_shape_0:
                raise gpucore_out_of_range(3, (i,), (classes_shape_0,), workgroup_id, local_id)
            classes_memory[i] = classify_result
