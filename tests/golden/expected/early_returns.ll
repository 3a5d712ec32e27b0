; kernel early_returns
@gpucore_scratch_nbytes = constant i64 0

define void @gpucore_entry(ptr %buffers, ptr %scalars, ptr %scratch, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) nounwind {
entry:
  %t.1 = getelementptr ptr, ptr %buffers, i64 0
  %x.2 = load ptr, ptr %t.1
  %t.3 = getelementptr ptr, ptr %buffers, i64 1
  %classes.4 = load ptr, ptr %t.3
  %t.5 = getelementptr i8, ptr %scalars, i64 0
  %x_shape_0_.6 = load i32, ptr %t.5
  %t.7 = getelementptr i8, ptr %scalars, i64 4
  %low.8 = load float, ptr %t.7
  %t.9 = getelementptr i8, ptr %scalars, i64 8
  %high.10 = load float, ptr %t.9
  call void @gpucore_workgroups(ptr %x.2, ptr %classes.4, i32 %x_shape_0_.6, float %low.8, float %high.10, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last)
  ret void
}

define internal void @gpucore_workgroups(ptr noalias nonnull align 64 %buffer0, ptr noalias nonnull align 64 %buffer1, i32 %param0, float %param1, float %param2, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) noinline nounwind {
entry:
  %classify_return_taken.49 = alloca i8, align 1
  %classify_result.51 = alloca i32, align 4
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
  %t.16 = mul nsw i32 %workgroup_id.13, 64
  %t.17 = add nsw i32 0, %t.16
  %t.18 = sext i32 %t.17 to i64
  %t.19 = sext i32 %param0 to i64
  %room.20 = sub nsw i64 %t.19, %t.18
  %count.21 = call i64 @llvm.smin.i64(i64 %room.20, i64 64)
  br label %local_x_head.22
local_x_head.22:
  %local_x.26 = phi i64 [ 0, %workgroup_body.2 ], [ %local_x.26.next, %local_x_next.24 ]
  %t.27 = icmp slt i64 %local_x.26, %count.21
  br i1 %t.27, label %local_x_body.23, label %local_x_end.25
local_x_body.23:
  %t.28 = mul nsw i32 %workgroup_id.13, 64
  %local_id.29 = trunc i64 %local_x.26 to i32
  %t.30 = add nsw i32 %t.28, %local_id.29
  %t.31 = sext i32 %workgroup_id.13 to i64
  %index.32 = mul nsw i64 %t.31, 64
  %index.33 = add nsw i64 %index.32, %local_x.26
  %place.34 = getelementptr inbounds float, ptr %buffer0, i64 %index.33
  %x.35 = load float, ptr %place.34, align 4, !llvm.access.group !0
  %t.36 = fcmp uno float %x.35, %x.35
  br i1 %t.36, label %then.37, label %else.38
then.37:
  %t.40 = sext i32 %workgroup_id.13 to i64
  %index.41 = mul nsw i64 %t.40, 64
  %index.42 = add nsw i64 %index.41, %local_x.26
  %place.43 = getelementptr inbounds i32, ptr %buffer1, i64 %index.42
  store i32 -2, ptr %place.43, align 4, !llvm.access.group !0
  br label %endif.39
else.38:
  %t.44 = sext i32 %workgroup_id.13 to i64
  %index.45 = mul nsw i64 %t.44, 64
  %index.46 = add nsw i64 %index.45, %local_x.26
  %place.47 = getelementptr inbounds float, ptr %buffer0, i64 %index.46
  %x.48 = load float, ptr %place.47, align 4, !llvm.access.group !0
  %t.50 = zext i1 false to i8
  store i8 %t.50, ptr %classify_return_taken.49, align 1
  store i32 undef, ptr %classify_result.51
  %t.52 = fcmp olt float %x.48, %param1
  br i1 %t.52, label %then.53, label %else.54
then.53:
  store i32 -1, ptr %classify_result.51, align 4
  %t.56 = zext i1 true to i8
  store i8 %t.56, ptr %classify_return_taken.49, align 1
  br label %endif.55
else.54:
  br label %k_head.57
k_head.57:
  %k.61 = phi i32 [ 0, %else.54 ], [ %k.61.next, %k_next.59 ]
  %t.62 = icmp slt i32 %k.61, 3
  br i1 %t.62, label %k_body.58, label %k_end.60
k_body.58:
  %t.63 = add nsw i32 %k.61, 1
  %t.64 = sitofp i32 %t.63 to float
  %t.65 = fmul contract float %param2, %t.64
  %t.66 = fcmp ogt float %x.48, %t.65
  br i1 %t.66, label %then.67, label %endif.69
then.67:
  store i32 %k.61, ptr %classify_result.51, align 4
  %t.70 = zext i1 true to i8
  store i8 %t.70, ptr %classify_return_taken.49, align 1
  br label %k_end.60
endif.69:
  br label %k_next.59
k_next.59:
  %k.61.next = add nsw i32 %k.61, 1
  br label %k_head.57
k_end.60:
  %classify_return_taken.71 = load i8, ptr %classify_return_taken.49
  %t.72 = trunc i8 %classify_return_taken.71 to i1
  %t.73 = xor i1 %t.72, true
  br i1 %t.73, label %then.74, label %endif.76
then.74:
  store i32 7, ptr %classify_result.51, align 4
  %t.77 = zext i1 true to i8
  store i8 %t.77, ptr %classify_return_taken.49, align 1
  br label %endif.76
endif.76:
  br label %endif.55
endif.55:
  %t.78 = sext i32 %workgroup_id.13 to i64
  %index.79 = mul nsw i64 %t.78, 64
  %index.80 = add nsw i64 %index.79, %local_x.26
  %place.81 = getelementptr inbounds i32, ptr %buffer1, i64 %index.80
  %classify_result.82 = load i32, ptr %classify_result.51
  store i32 %classify_result.82, ptr %place.81, align 4, !llvm.access.group !0
  br label %endif.39
endif.39:
  br label %local_x_next.24
local_x_next.24:
  %local_x.26.next = add nsw i64 %local_x.26, 1
  br label %local_x_head.22, !llvm.loop !3
local_x_end.25:
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
