enable f16;
enable wgpu_cooperative_matrix;

@group(0) @binding(0) var<storage, read> a: array<f16>;
@group(0) @binding(1) var<storage, read> b: array<f16>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
struct gpucore_Scalars {
    @size(4) a_shape_0: i32,
    @size(4) a_shape_1: i32,
    @size(4) b_shape_0: i32,
    @size(4) b_shape_1: i32,
    @size(4) c_shape_0: i32,
    @size(12) c_shape_1: i32,
}
@group(0) @binding(3) var<uniform> gpucore_scalars: gpucore_Scalars;
var<workgroup> left: array<f16, 384>;
var<workgroup> right: array<f16, 384>;
var<workgroup> matrix_scratch: array<f32, 256>;

@compute @workgroup_size(32, 1, 1)
fn cooperative_product(@builtin(workgroup_id) gpucore_workgroup_id: vec3<u32>, @builtin(local_invocation_id) gpucore_local_id: vec3<u32>, @builtin(subgroup_id) gpucore_subgroup_id: u32, @builtin(subgroup_invocation_id) gpucore_subgroup_invocation_id: u32) {
    let a_shape_0 = gpucore_scalars.a_shape_0;
    let a_shape_1 = gpucore_scalars.a_shape_1;
    let b_shape_0 = gpucore_scalars.b_shape_0;
    let b_shape_1 = gpucore_scalars.b_shape_1;
    let c_shape_0 = gpucore_scalars.c_shape_0;
    let c_shape_1 = gpucore_scalars.c_shape_1;
    let workgroup_id_x = i32(gpucore_workgroup_id.x);
    let workgroup_id_y = i32(gpucore_workgroup_id.y);
    let local_id_x = i32(gpucore_local_id.x);
    let subgroup_id = i32(gpucore_subgroup_id);
    let subgroup_invocation_id = i32(gpucore_subgroup_invocation_id);
    var private_array_0 = coop_mat16x16<f32, C>();
    var total_element_0: coop_mat16x16<f32, C> = private_array_0;
    let stop = (a_shape_1 + 15) >> 4u;
    for (var step: i32 = 0; step < stop; step += 1) {
        let row = workgroup_id_y * 16;
        let column = step * 16;
        if ((row >= 0) & (row <= a_shape_0 - 16)) & (column <= a_shape_1 - 16) {
            let item = local_id_x >> 2u;
            let item_2 = (local_id_x & 3) * 4;
            let index = column + item_2;
            let a_2 = a[(row + item) * a_shape_1 + index];
            let a_3 = a[(row + item) * a_shape_1 + (index + 1)];
            let a_4 = a[(row + item) * a_shape_1 + (index + 2)];
            let a_5 = a[(row + item) * a_shape_1 + (index + 3)];
            left[item * 24 + item_2] = a_2;
            left[item * 24 + (item_2 + 1)] = a_3;
            left[item * 24 + (item_2 + 2)] = a_4;
            left[item * 24 + (item_2 + 3)] = a_5;
            let item_3 = (local_id_x >> 2u) + 8;
            let item_4 = (local_id_x & 3) * 4;
            let index_2 = column + item_4;
            let a_6 = a[(row + item_3) * a_shape_1 + index_2];
            let a_7 = a[(row + item_3) * a_shape_1 + (index_2 + 1)];
            let a_8 = a[(row + item_3) * a_shape_1 + (index_2 + 2)];
            let a_9 = a[(row + item_3) * a_shape_1 + (index_2 + 3)];
            left[item_3 * 24 + item_4] = a_6;
            left[item_3 * 24 + (item_4 + 1)] = a_7;
            left[item_3 * 24 + (item_4 + 2)] = a_8;
            left[item_3 * 24 + (item_4 + 3)] = a_9;
        }
        else {
            let trips = select(((u32(256 - local_id_x) - 1u) >> 5u) + 1u, 0u, (local_id_x >= 256));
            for (var trip: u32 = 0u; trip < trips; trip += 1u) {
                let place = local_id_x + i32(trip) * 32;
                let r = place >> 4u;
                let c_2 = place & 15;
                var value: f16 = 0.0h;
                let row_2 = row + r;
                let column_2 = column + c_2;
                if (u32(row_2) < u32(a_shape_0)) & (u32(column_2) < u32(a_shape_1)) {
                    let a_10 = a[(row + r) * a_shape_1 + (column + c_2)];
                    value = a_10;
                }
                left[r * 24 + c_2] = value;
            }
        }
        let row_3 = workgroup_id_x * 16;
        let column_3 = step * 16;
        if (row_3 <= b_shape_0 - 16) & (column_3 <= b_shape_1 - 16) {
            let item_5 = local_id_x >> 2u;
            let item_6 = (local_id_x & 3) * 4;
            let index_3 = column_3 + item_6;
            let b_2 = b[(row_3 + item_5) * b_shape_1 + index_3];
            let b_3 = b[(row_3 + item_5) * b_shape_1 + (index_3 + 1)];
            let b_4 = b[(row_3 + item_5) * b_shape_1 + (index_3 + 2)];
            let b_5 = b[(row_3 + item_5) * b_shape_1 + (index_3 + 3)];
            right[item_5 * 24 + item_6] = b_2;
            right[item_5 * 24 + (item_6 + 1)] = b_3;
            right[item_5 * 24 + (item_6 + 2)] = b_4;
            right[item_5 * 24 + (item_6 + 3)] = b_5;
            let item_7 = (local_id_x >> 2u) + 8;
            let item_8 = (local_id_x & 3) * 4;
            let index_4 = column_3 + item_8;
            let b_6 = b[(row_3 + item_7) * b_shape_1 + index_4];
            let b_7 = b[(row_3 + item_7) * b_shape_1 + (index_4 + 1)];
            let b_8 = b[(row_3 + item_7) * b_shape_1 + (index_4 + 2)];
            let b_9 = b[(row_3 + item_7) * b_shape_1 + (index_4 + 3)];
            right[item_7 * 24 + item_8] = b_6;
            right[item_7 * 24 + (item_8 + 1)] = b_7;
            right[item_7 * 24 + (item_8 + 2)] = b_8;
            right[item_7 * 24 + (item_8 + 3)] = b_9;
        }
        else {
            let trips_2 = select(((u32(256 - local_id_x) - 1u) >> 5u) + 1u, 0u, (local_id_x >= 256));
            for (var trip_2: u32 = 0u; trip_2 < trips_2; trip_2 += 1u) {
                let place_2 = local_id_x + i32(trip_2) * 32;
                let r_2 = place_2 >> 4u;
                let c_3 = place_2 & 15;
                var value_2: f16 = 0.0h;
                let row_4 = row_3 + r_2;
                let column_4 = column_3 + c_3;
                if (u32(row_4) < u32(b_shape_0)) & (u32(column_4) < u32(b_shape_1)) {
                    let b_10 = b[(row_3 + r_2) * b_shape_1 + (column_3 + c_3)];
                    value_2 = b_10;
                }
                right[r_2 * 24 + c_3] = value_2;
            }
        }
        workgroupBarrier();
        let item_9 = subgroup_id * 16;
        let right_at = 0;
        let right_2 = coopLoad<coop_mat16x16<f16, B>>(&right[right_at], 24u);
        let left_at = item_9 * 24;
        let left_2 = coopLoadT<coop_mat16x16<f16, A>>(&left[left_at], 24u);
        let sums = coopMultiplyAdd(left_2, right_2, total_element_0);
        total_element_0 = sums;
        workgroupBarrier();
    }
    let sums_2 = total_element_0 * f32(0.5);
    let row_5 = workgroup_id_y * 16;
    let column_5 = workgroup_id_x * 16;
    let item_10 = subgroup_id * 16;
    let item_11 = subgroup_invocation_id >> 1u;
    let item_12 = (subgroup_invocation_id & 1) * 8;
    let matrix_scratch_at = item_10 * 16;
    coopStoreT(sums_2, &matrix_scratch[matrix_scratch_at], 16u);
    workgroupBarrier();
    let matrix_scratch_2 = matrix_scratch[(item_10 + item_11) * 16 + item_12];
    let matrix_scratch_3 = matrix_scratch[(item_10 + item_11) * 16 + (item_12 + 1)];
    let matrix_scratch_4 = matrix_scratch[(item_10 + item_11) * 16 + (item_12 + 2)];
    let matrix_scratch_5 = matrix_scratch[(item_10 + item_11) * 16 + (item_12 + 3)];
    let matrix_scratch_6 = matrix_scratch[(item_10 + item_11) * 16 + (item_12 + 4)];
    let matrix_scratch_7 = matrix_scratch[(item_10 + item_11) * 16 + (item_12 + 5)];
    let matrix_scratch_8 = matrix_scratch[(item_10 + item_11) * 16 + (item_12 + 6)];
    let matrix_scratch_9 = matrix_scratch[(item_10 + item_11) * 16 + (item_12 + 7)];
    workgroupBarrier();
    if ((row_5 >= 0) & (row_5 <= c_shape_0 - 16)) & (column_5 <= c_shape_1 - 16) {
        let lane = subgroup_invocation_id & 1;
        let item_13 = subgroup_id * 16 + (subgroup_invocation_id >> 1u);
        let item_14 = lane * 8;
        let index_5 = column_5 + item_14;
        c[(row_5 + item_13) * c_shape_1 + index_5] = matrix_scratch_2;
        c[(row_5 + item_13) * c_shape_1 + (index_5 + 1)] = matrix_scratch_3;
        c[(row_5 + item_13) * c_shape_1 + (index_5 + 2)] = matrix_scratch_4;
        c[(row_5 + item_13) * c_shape_1 + (index_5 + 3)] = matrix_scratch_5;
        let lane_2 = subgroup_invocation_id & 1;
        let item_15 = subgroup_id * 16 + (subgroup_invocation_id >> 1u);
        let item_16 = lane_2 * 8 + 4;
        let index_6 = column_5 + item_16;
        c[(row_5 + item_15) * c_shape_1 + index_6] = matrix_scratch_6;
        c[(row_5 + item_15) * c_shape_1 + (index_6 + 1)] = matrix_scratch_7;
        c[(row_5 + item_15) * c_shape_1 + (index_6 + 2)] = matrix_scratch_8;
        c[(row_5 + item_15) * c_shape_1 + (index_6 + 3)] = matrix_scratch_9;
    }
    else {
        let lane_3 = subgroup_invocation_id & 1;
        let item_17 = subgroup_id * 16 + (subgroup_invocation_id >> 1u);
        let item_18 = lane_3 * 8;
        let row_6 = row_5 + item_17;
        let column_6 = column_5 + item_18;
        if (u32(row_6) < u32(c_shape_0)) & (u32(column_6) < u32(c_shape_1)) {
            c[(row_5 + item_17) * c_shape_1 + (column_5 + item_18)] = matrix_scratch_2;
        }
        let lane_4 = subgroup_invocation_id & 1;
        let item_19 = subgroup_id * 16 + (subgroup_invocation_id >> 1u);
        let item_20 = lane_4 * 8 + 1;
        let row_7 = row_5 + item_19;
        let column_7 = column_5 + item_20;
        if (u32(row_7) < u32(c_shape_0)) & (u32(column_7) < u32(c_shape_1)) {
            c[(row_5 + item_19) * c_shape_1 + (column_5 + item_20)] = matrix_scratch_3;
        }
        let lane_5 = subgroup_invocation_id & 1;
        let item_21 = subgroup_id * 16 + (subgroup_invocation_id >> 1u);
        let item_22 = lane_5 * 8 + 2;
        let row_8 = row_5 + item_21;
        let column_8 = column_5 + item_22;
        if (u32(row_8) < u32(c_shape_0)) & (u32(column_8) < u32(c_shape_1)) {
            c[(row_5 + item_21) * c_shape_1 + (column_5 + item_22)] = matrix_scratch_4;
        }
        let lane_6 = subgroup_invocation_id & 1;
        let item_23 = subgroup_id * 16 + (subgroup_invocation_id >> 1u);
        let item_24 = lane_6 * 8 + 3;
        let row_9 = row_5 + item_23;
        let column_9 = column_5 + item_24;
        if (u32(row_9) < u32(c_shape_0)) & (u32(column_9) < u32(c_shape_1)) {
            c[(row_5 + item_23) * c_shape_1 + (column_5 + item_24)] = matrix_scratch_5;
        }
        let lane_7 = subgroup_invocation_id & 1;
        let item_25 = subgroup_id * 16 + (subgroup_invocation_id >> 1u);
        let item_26 = lane_7 * 8 + 4;
        let row_10 = row_5 + item_25;
        let column_10 = column_5 + item_26;
        if (u32(row_10) < u32(c_shape_0)) & (u32(column_10) < u32(c_shape_1)) {
            c[(row_5 + item_25) * c_shape_1 + (column_5 + item_26)] = matrix_scratch_6;
        }
        let lane_8 = subgroup_invocation_id & 1;
        let item_27 = subgroup_id * 16 + (subgroup_invocation_id >> 1u);
        let item_28 = lane_8 * 8 + 5;
        let row_11 = row_5 + item_27;
        let column_11 = column_5 + item_28;
        if (u32(row_11) < u32(c_shape_0)) & (u32(column_11) < u32(c_shape_1)) {
            c[(row_5 + item_27) * c_shape_1 + (column_5 + item_28)] = matrix_scratch_7;
        }
        let lane_9 = subgroup_invocation_id & 1;
        let item_29 = subgroup_id * 16 + (subgroup_invocation_id >> 1u);
        let item_30 = lane_9 * 8 + 6;
        let row_12 = row_5 + item_29;
        let column_12 = column_5 + item_30;
        if (u32(row_12) < u32(c_shape_0)) & (u32(column_12) < u32(c_shape_1)) {
            c[(row_5 + item_29) * c_shape_1 + (column_5 + item_30)] = matrix_scratch_8;
        }
        let lane_10 = subgroup_invocation_id & 1;
        let item_31 = subgroup_id * 16 + (subgroup_invocation_id >> 1u);
        let item_32 = lane_10 * 8 + 7;
        let row_13 = row_5 + item_31;
        let column_13 = column_5 + item_32;
        if (u32(row_13) < u32(c_shape_0)) & (u32(column_13) < u32(c_shape_1)) {
            c[(row_5 + item_31) * c_shape_1 + (column_5 + item_32)] = matrix_scratch_9;
        }
    }
}
