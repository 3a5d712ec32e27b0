; kernel blend
@gpucore_scratch_nbytes = constant i64 0

define void @gpucore_entry(ptr %buffers, ptr %scalars, ptr %scratch, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) nounwind {
entry:
  %t.1 = getelementptr ptr, ptr %buffers, i64 0
  %x.2 = load ptr, ptr %t.1
  %t.3 = getelementptr ptr, ptr %buffers, i64 1
  %y.4 = load ptr, ptr %t.3
  %t.5 = getelementptr i8, ptr %scalars, i64 0
  %x_shape_0_.6 = load i32, ptr %t.5
  %t.7 = getelementptr i8, ptr %scalars, i64 4
  %y_shape_0_.8 = load i32, ptr %t.7
  %t.9 = getelementptr i8, ptr %scalars, i64 8
  %how_weight.10 = load float, ptr %t.9
  %t.11 = getelementptr i8, ptr %scalars, i64 12
  %how_offset.12 = load i32, ptr %t.11
  %t.13 = getelementptr i8, ptr %scalars, i64 16
  %how_invert.14 = load i32, ptr %t.13
  %t.15 = icmp ne i32 %how_invert.14, 0
  %t.16 = getelementptr i8, ptr %scalars, i64 20
  %clamp.17 = load i32, ptr %t.16
  %t.18 = icmp ne i32 %clamp.17, 0
  %t.19 = getelementptr i8, ptr %scalars, i64 24
  %x_last.20 = load i32, ptr %t.19
  call void @gpucore_workgroups(ptr %x.2, ptr %y.4, i32 %x_shape_0_.6, i32 %y_shape_0_.8, float %how_weight.10, i32 %how_offset.12, i1 %t.15, i1 %t.18, i32 %x_last.20, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last)
  ret void
}

define internal void @gpucore_workgroups(ptr noalias nonnull align 64 %buffer0, ptr noalias nonnull align 64 %buffer1, i32 %param0, i32 %param1, float %param2, i32 %param3, i1 %param4, i1 %param5, i32 %param6, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) noinline nounwind {
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
  %t.16 = mul nsw i32 %workgroup_id.13, 64
  %t.17 = add nsw i32 0, %t.16
  %t.18 = sext i32 %t.17 to i64
  %t.19 = sext i32 %param1 to i64
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
  %t.31 = add i32 %t.30, %param3
  %t.32 = sub nsw i32 %param0, 1
  %t.33 = call i32 @llvm.smin.i32(i32 %t.31, i32 %t.32)
  %t.34 = call i32 @llvm.umin.i32(i32 %t.33, i32 %param6)
  %t.35 = zext i32 %t.34 to i64
  %place.36 = getelementptr inbounds float, ptr %buffer0, i64 %t.35
  %x.37 = load float, ptr %place.36, align 4, !llvm.access.group !0
  %t.38 = call float @llvm.pow.f32(float %x.37, float 0x4008000000000000)
  %t.39 = fsub contract float 0x3FF0000000000000, %t.38
  %t.40 = fsub contract float 0x3FF0000000000000, %param2
  %t.41 = fmul contract float %t.38, %t.40
  %t.42 = fmul contract float %t.39, %param2
  %t.43 = fadd contract float %t.41, %t.42
  %t.44 = fmul contract float %t.38, %param2
  %t.45 = select i1 %param4, float %t.43, float %t.44
  %t.46 = sext i32 %workgroup_id.13 to i64
  %index.47 = mul nsw i64 %t.46, 64
  %index.48 = add nsw i64 %index.47, %local_x.26
  %place.49 = getelementptr inbounds float, ptr %buffer1, i64 %index.48
  %t.50 = call float @llvm.maxnum.f32(float %t.45, float 0x0000000000000000)
  %t.51 = call float @llvm.minnum.f32(float %t.50, float 0x3FF0000000000000)
  %t.52 = select i1 %param5, float %t.51, float %t.45
  store float %t.52, ptr %place.49, align 4, !llvm.access.group !0
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

declare float @llvm.maxnum.f32(float, float)
declare float @llvm.minnum.f32(float, float)
declare float @llvm.pow.f32(float, float)
declare i32 @llvm.smin.i32(i32, i32)
declare i64 @llvm.smin.i64(i64, i64)
declare i32 @llvm.umin.i32(i32, i32)

!0 = distinct !{}
!1 = !{!"llvm.loop.parallel_accesses", !0}
!2 = !{!"llvm.loop.unroll.disable"}
!3 = distinct !{!3, !1, !2}
