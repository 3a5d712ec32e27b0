; kernel transpose
@gpucore_scratch_nbytes = constant i64 1088

define void @gpucore_entry(ptr %buffers, ptr %scalars, ptr %scratch, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) nounwind {
entry:
  %t.1 = getelementptr ptr, ptr %buffers, i64 0
  %source.2 = load ptr, ptr %t.1
  %t.3 = getelementptr ptr, ptr %buffers, i64 1
  %target.4 = load ptr, ptr %t.3
  %t.5 = getelementptr i8, ptr %scalars, i64 0
  %source_shape_0_.6 = load i32, ptr %t.5
  %t.7 = getelementptr i8, ptr %scalars, i64 4
  %source_shape_1_.8 = load i32, ptr %t.7
  %t.9 = getelementptr i8, ptr %scalars, i64 8
  %target_shape_0_.10 = load i32, ptr %t.9
  %t.11 = getelementptr i8, ptr %scalars, i64 12
  %target_shape_1_.12 = load i32, ptr %t.11
  %t.13 = getelementptr i8, ptr %scratch, i64 0
  call void @gpucore_workgroups(ptr %source.2, ptr %target.4, i32 %source_shape_0_.6, i32 %source_shape_1_.8, i32 %target_shape_0_.10, i32 %target_shape_1_.12, ptr %t.13, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last)
  ret void
}

define internal void @gpucore_workgroups(ptr noalias nonnull align 64 %buffer0, ptr noalias nonnull align 64 %buffer1, i32 %param0, i32 %param1, i32 %param2, i32 %param3, ptr noalias nonnull align 64 %scratch0, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) noinline nounwind {
entry:
  br label %workgroup_head.1
workgroup_head.1:
  %workgroup.5 = phi i64 [ %first, %entry ], [ %workgroup.5.next, %workgroup_next.3 ]
  %t.6 = icmp slt i64 %workgroup.5, %last
  br i1 %t.6, label %workgroup_body.2, label %workgroup_end.4
workgroup_body.2:
  %t.7 = zext i32 %gx to i64
  %t.8 = zext i32 %gy to i64
  %t.9 = urem i64 %workgroup.5, %t.7
  %t.10 = udiv i64 %workgroup.5, %t.7
  %t.11 = urem i64 %t.10, %t.8
  %t.12 = udiv i64 %t.10, %t.8
  %workgroup_id.13 = trunc i64 %t.9 to i32
  %workgroup_id.14 = trunc i64 %t.11 to i32
  %workgroup_id.15 = trunc i64 %t.12 to i32
  br label %local_y_head.16
local_y_head.16:
  %local_y.20 = phi i64 [ 0, %workgroup_body.2 ], [ %local_y.20.next, %local_y_next.18 ]
  %t.21 = icmp slt i64 %local_y.20, 16
  br i1 %t.21, label %local_y_body.17, label %local_y_end.19
local_y_body.17:
  %t.22 = mul nsw i32 %workgroup_id.13, 16
  %t.23 = add nsw i32 0, %t.22
  %t.24 = sext i32 %t.23 to i64
  %t.25 = sext i32 %param1 to i64
  %room.26 = sub nsw i64 %t.25, %t.24
  %count.27 = call i64 @llvm.smin.i64(i64 %room.26, i64 16)
  br label %local_x_head.28
local_x_head.28:
  %local_x.32 = phi i64 [ 0, %local_y_body.17 ], [ %local_x.32.next, %local_x_next.30 ]
  %t.33 = icmp slt i64 %local_x.32, %count.27
  br i1 %t.33, label %local_x_body.29, label %local_x_end.31
local_x_body.29:
  %t.34 = mul nuw nsw i64 %local_y.20, 16
  %t.35 = add nuw nsw i64 %t.34, %local_x.32
  %t.36 = mul nsw i32 %workgroup_id.13, 16
  %local_id.37 = trunc i64 %local_x.32 to i32
  %t.38 = add nsw i32 %t.36, %local_id.37
  %t.39 = mul nsw i32 %workgroup_id.14, 16
  %local_id.40 = trunc i64 %local_y.20 to i32
  %t.41 = add nsw i32 %t.39, %local_id.40
  %t.42 = icmp slt i32 %t.41, %param0
  br i1 %t.42, label %then.43, label %endif.45
then.43:
  %t.46 = mul i32 %t.41, %param1
  %t.47 = sext i32 %t.46 to i64
  %t.48 = sext i32 %workgroup_id.13 to i64
  %index.49 = mul nsw i64 %t.48, 16
  %index.50 = add nsw i64 %index.49, %local_x.32
  %index.51 = add nsw i64 %t.47, %index.50
  %place.52 = getelementptr inbounds float, ptr %buffer0, i64 %index.51
  %source.53 = load float, ptr %place.52, align 4, !llvm.access.group !0
  %index.54 = mul nsw i64 %local_y.20, 17
  %index.55 = add nsw i64 %index.54, %local_x.32
  %place.56 = getelementptr inbounds float, ptr %scratch0, i64 %index.55
  store float %source.53, ptr %place.56, align 4, !llvm.access.group !0
  br label %endif.45
endif.45:
  br label %local_x_next.30
local_x_next.30:
  %local_x.32.next = add nsw i64 %local_x.32, 1
  br label %local_x_head.28, !llvm.loop !3
local_x_end.31:
  br label %local_y_next.18
local_y_next.18:
  %local_y.20.next = add nsw i64 %local_y.20, 1
  br label %local_y_head.16
local_y_end.19:
  ; barrier: every invocation has run the region above
  br label %local_y_head.57
local_y_head.57:
  %local_y.61 = phi i64 [ 0, %local_y_end.19 ], [ %local_y.61.next, %local_y_next.59 ]
  %t.62 = icmp slt i64 %local_y.61, 16
  br i1 %t.62, label %local_y_body.58, label %local_y_end.60
local_y_body.58:
  %t.63 = mul nsw i32 %workgroup_id.14, 16
  %t.64 = add nsw i32 0, %t.63
  %t.65 = sext i32 %t.64 to i64
  %t.66 = sext i32 %param3 to i64
  %room.67 = sub nsw i64 %t.66, %t.65
  %count.68 = call i64 @llvm.smin.i64(i64 %room.67, i64 16)
  br label %local_x_head.69
local_x_head.69:
  %local_x.73 = phi i64 [ 0, %local_y_body.58 ], [ %local_x.73.next, %local_x_next.71 ]
  %t.74 = icmp slt i64 %local_x.73, %count.68
  br i1 %t.74, label %local_x_body.70, label %local_x_end.72
local_x_body.70:
  %t.75 = mul nuw nsw i64 %local_y.61, 16
  %t.76 = add nuw nsw i64 %t.75, %local_x.73
  %t.77 = mul nsw i32 %workgroup_id.14, 16
  %local_id.78 = trunc i64 %local_x.73 to i32
  %t.79 = add nsw i32 %t.77, %local_id.78
  %t.80 = mul nsw i32 %workgroup_id.13, 16
  %local_id.81 = trunc i64 %local_y.61 to i32
  %t.82 = add nsw i32 %t.80, %local_id.81
  %t.83 = icmp slt i32 %t.82, %param2
  br i1 %t.83, label %then.84, label %endif.86
then.84:
  %index.87 = mul nsw i64 %local_x.73, 17
  %index.88 = add nsw i64 %index.87, %local_y.61
  %place.89 = getelementptr inbounds float, ptr %scratch0, i64 %index.88
  %tile.90 = load float, ptr %place.89, align 4, !llvm.access.group !0
  %t.91 = mul i32 %t.82, %param3
  %t.92 = sext i32 %t.91 to i64
  %t.93 = sext i32 %workgroup_id.14 to i64
  %index.94 = mul nsw i64 %t.93, 16
  %index.95 = add nsw i64 %index.94, %local_x.73
  %index.96 = add nsw i64 %t.92, %index.95
  %place.97 = getelementptr inbounds float, ptr %buffer1, i64 %index.96
  store float %tile.90, ptr %place.97, align 4, !llvm.access.group !0
  br label %endif.86
endif.86:
  br label %local_x_next.71
local_x_next.71:
  %local_x.73.next = add nsw i64 %local_x.73, 1
  br label %local_x_head.69, !llvm.loop !4
local_x_end.72:
  br label %local_y_next.59
local_y_next.59:
  %local_y.61.next = add nsw i64 %local_y.61, 1
  br label %local_y_head.57
local_y_end.60:
  br label %workgroup_next.3
workgroup_next.3:
  %workgroup.5.next = add nsw i64 %workgroup.5, 1
  br label %workgroup_head.1
workgroup_end.4:
  ret void
}

declare i64 @llvm.smin.i64(i64, i64)

!0 = distinct !{}
!1 = !{!"llvm.loop.parallel_accesses", !0}
!2 = !{!"llvm.loop.unroll.disable"}
!3 = distinct !{!3, !1, !2}
!4 = distinct !{!4, !1, !2}
