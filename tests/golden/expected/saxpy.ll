; kernel saxpy
@gpucore_scratch_nbytes = constant i64 0

define void @gpucore_entry(ptr %buffers, ptr %scalars, ptr %scratch, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) nounwind {
entry:
  %t.1 = getelementptr ptr, ptr %buffers, i64 0
  %x.2 = load ptr, ptr %t.1
  %t.3 = getelementptr ptr, ptr %buffers, i64 1
  %y.4 = load ptr, ptr %t.3
  %t.5 = getelementptr i8, ptr %scalars, i64 0
  %a.6 = load float, ptr %t.5
  %t.7 = getelementptr i8, ptr %scalars, i64 4
  %y_shape_0_.8 = load i32, ptr %t.7
  call void @gpucore_workgroups(ptr %x.2, ptr %y.4, float %a.6, i32 %y_shape_0_.8, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last)
  ret void
}

define internal void @gpucore_workgroups(ptr noalias nonnull align 64 %buffer0, ptr noalias nonnull align 64 %buffer1, float %param0, i32 %param1, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) noinline nounwind {
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
  %t.16 = mul nsw i32 %workgroup_id.13, 256
  %t.17 = add nsw i32 0, %t.16
  %t.18 = sext i32 %t.17 to i64
  %t.19 = sext i32 %param1 to i64
  %room.20 = sub nsw i64 %t.19, %t.18
  %count.21 = call i64 @llvm.smin.i64(i64 %room.20, i64 256)
  br label %local_x_head.22
local_x_head.22:
  %local_x.26 = phi i64 [ 0, %workgroup_body.2 ], [ %local_x.26.next, %local_x_next.24 ]
  %t.27 = icmp slt i64 %local_x.26, %count.21
  br i1 %t.27, label %local_x_body.23, label %local_x_end.25
local_x_body.23:
  %t.28 = mul nsw i32 %workgroup_id.13, 256
  %local_id.29 = trunc i64 %local_x.26 to i32
  %t.30 = add nsw i32 %t.28, %local_id.29
  %t.31 = sext i32 %workgroup_id.13 to i64
  %index.32 = mul nsw i64 %t.31, 256
  %index.33 = add nsw i64 %index.32, %local_x.26
  %place.34 = getelementptr inbounds float, ptr %buffer0, i64 %index.33
  %x.35 = load float, ptr %place.34, align 4, !llvm.access.group !0
  %t.36 = sext i32 %workgroup_id.13 to i64
  %index.37 = mul nsw i64 %t.36, 256
  %index.38 = add nsw i64 %index.37, %local_x.26
  %place.39 = getelementptr inbounds float, ptr %buffer1, i64 %index.38
  %y.40 = load float, ptr %place.39, align 4, !llvm.access.group !0
  %t.41 = sext i32 %workgroup_id.13 to i64
  %index.42 = mul nsw i64 %t.41, 256
  %index.43 = add nsw i64 %index.42, %local_x.26
  %place.44 = getelementptr inbounds float, ptr %buffer1, i64 %index.43
  %t.45 = fmul contract float %param0, %x.35
  %t.46 = fadd contract float %t.45, %y.40
  store float %t.46, ptr %place.44, align 4, !llvm.access.group !0
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
