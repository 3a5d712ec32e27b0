; kernel reduce_sum
@gpucore_scratch_nbytes = constant i64 512

define void @gpucore_entry(ptr %buffers, ptr %scalars, ptr %scratch, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) nounwind {
entry:
  %t.1 = getelementptr ptr, ptr %buffers, i64 0
  %x.2 = load ptr, ptr %t.1
  %t.3 = getelementptr ptr, ptr %buffers, i64 1
  %sums.4 = load ptr, ptr %t.3
  %t.5 = getelementptr i8, ptr %scalars, i64 0
  %x_shape_0_.6 = load i32, ptr %t.5
  %t.7 = getelementptr i8, ptr %scratch, i64 0
  call void @gpucore_workgroups(ptr %x.2, ptr %sums.4, i32 %x_shape_0_.6, ptr %t.7, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last)
  ret void
}

define internal void @gpucore_workgroups(ptr noalias nonnull align 64 %buffer0, ptr noalias nonnull align 64 %buffer1, i32 %param0, ptr noalias nonnull align 64 %scratch0, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) noinline nounwind {
entry:
  %choice.26 = alloca float, align 4
  %half.37 = alloca i32, align 4
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
  br label %local_x_head.16
local_x_head.16:
  %local_x.20 = phi i64 [ 0, %workgroup_body.2 ], [ %local_x.20.next, %local_x_next.18 ]
  %t.21 = icmp slt i64 %local_x.20, 128
  br i1 %t.21, label %local_x_body.17, label %local_x_end.19
local_x_body.17:
  %t.22 = mul nsw i32 %workgroup_id.13, 128
  %local_id.23 = trunc i64 %local_x.20 to i32
  %t.24 = add nsw i32 %t.22, %local_id.23
  %t.25 = icmp slt i32 %t.24, %param0
  store float undef, ptr %choice.26
  br i1 %t.25, label %then.27, label %else.28
then.27:
  %t.30 = sext i32 %workgroup_id.13 to i64
  %index.31 = mul nsw i64 %t.30, 128
  %index.32 = add nsw i64 %index.31, %local_x.20
  %place.33 = getelementptr inbounds float, ptr %buffer0, i64 %index.32
  %x.34 = load float, ptr %place.33, align 4, !llvm.access.group !0
  store float %x.34, ptr %choice.26, align 4
  br label %endif.29
else.28:
  store float 0x0000000000000000, ptr %choice.26, align 4
  br label %endif.29
endif.29:
  %place.35 = getelementptr inbounds float, ptr %scratch0, i64 %local_x.20
  %choice.36 = load float, ptr %choice.26
  store float %choice.36, ptr %place.35, align 4, !llvm.access.group !0
  br label %local_x_next.18
local_x_next.18:
  %local_x.20.next = add nsw i64 %local_x.20, 1
  br label %local_x_head.16, !llvm.loop !3
local_x_end.19:
  ; barrier: every invocation has run the region above
  store i32 64, ptr %half.37, align 4
  br label %loop.38
loop.38:
  %half.40 = load i32, ptr %half.37
  %t.41 = icmp sle i32 %half.40, 0
  br i1 %t.41, label %then.42, label %else.43
then.42:
  br label %loop_end.39
else.43:
  br label %endif.44
endif.44:
  %t.45 = sext i32 0 to i64
  %half.46 = load i32, ptr %half.37
  %t.47 = sext i32 %half.46 to i64
  %room.48 = sub nsw i64 %t.47, %t.45
  %count.49 = call i64 @llvm.smin.i64(i64 %room.48, i64 128)
  br label %local_x_head.50
local_x_head.50:
  %local_x.54 = phi i64 [ 0, %endif.44 ], [ %local_x.54.next, %local_x_next.52 ]
  %t.55 = icmp slt i64 %local_x.54, %count.49
  br i1 %t.55, label %local_x_body.51, label %local_x_end.53
local_x_body.51:
  %place.56 = getelementptr inbounds float, ptr %scratch0, i64 %local_x.54
  %shared.57 = load float, ptr %place.56, align 4, !llvm.access.group !0
  %half.58 = load i32, ptr %half.37
  %t.59 = sext i32 %half.58 to i64
  %index.60 = add nsw i64 %local_x.54, %t.59
  %place.61 = getelementptr inbounds float, ptr %scratch0, i64 %index.60
  %shared.62 = load float, ptr %place.61, align 4, !llvm.access.group !0
  %place.63 = getelementptr inbounds float, ptr %scratch0, i64 %local_x.54
  %t.64 = fadd contract float %shared.57, %shared.62
  store float %t.64, ptr %place.63, align 4, !llvm.access.group !0
  br label %local_x_next.52
local_x_next.52:
  %local_x.54.next = add nsw i64 %local_x.54, 1
  br label %local_x_head.50, !llvm.loop !4
local_x_end.53:
  ; barrier: every invocation has run the region above
  %half.65 = load i32, ptr %half.37
  %t.66 = icmp eq i32 2, 0
  %t.67 = icmp eq i32 2, -1
  %t.68 = or i1 %t.66, %t.67
  %t.69 = select i1 %t.68, i32 1, i32 2
  %t.70 = srem i32 %half.65, %t.69
  %t.71 = icmp ne i32 %t.70, 0
  %t.72 = xor i32 %t.70, %t.69
  %t.73 = icmp slt i32 %t.72, 0
  %t.74 = and i1 %t.71, %t.73
  %t.75 = sdiv i32 %half.65, %t.69
  %t.76 = select i1 %t.74, i32 -1, i32 0
  %t.77 = add i32 %t.75, %t.76
  %t.78 = sub i32 0, %half.65
  %t.79 = select i1 %t.67, i32 %t.78, i32 %t.77
  store i32 %t.79, ptr %half.37, align 4
  br label %loop.38
loop_end.39:
  br label %local_x_head.80
local_x_head.80:
  %local_x.84 = phi i64 [ 0, %loop_end.39 ], [ %local_x.84.next, %local_x_next.82 ]
  %t.85 = icmp slt i64 %local_x.84, 128
  br i1 %t.85, label %local_x_body.81, label %local_x_end.83
local_x_body.81:
  %local_id.86 = trunc i64 %local_x.84 to i32
  %t.87 = icmp eq i32 %local_id.86, 0
  br i1 %t.87, label %then.88, label %endif.90
then.88:
  %place.91 = getelementptr inbounds float, ptr %scratch0, i64 0
  %shared.92 = load float, ptr %place.91, align 4, !llvm.access.group !0
  %t.93 = sext i32 %workgroup_id.13 to i64
  %place.94 = getelementptr inbounds float, ptr %buffer1, i64 %t.93
  store float %shared.92, ptr %place.94, align 4, !llvm.access.group !0
  br label %endif.90
endif.90:
  br label %local_x_next.82
local_x_next.82:
  %local_x.84.next = add nsw i64 %local_x.84, 1
  br label %local_x_head.80, !llvm.loop !5
local_x_end.83:
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
!5 = distinct !{!5, !1, !2}
