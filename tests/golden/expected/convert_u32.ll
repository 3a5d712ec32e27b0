; kernel convert
@gpucore_scratch_nbytes = constant i64 0

define void @gpucore_entry(ptr %buffers, ptr %scalars, ptr %scratch, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) nounwind {
entry:
  %t.1 = getelementptr ptr, ptr %buffers, i64 0
  %x.2 = load ptr, ptr %t.1
  %t.3 = getelementptr ptr, ptr %buffers, i64 1
  %bits.4 = load ptr, ptr %t.3
  %t.5 = getelementptr ptr, ptr %buffers, i64 2
  %back.6 = load ptr, ptr %t.5
  %t.7 = getelementptr ptr, ptr %buffers, i64 3
  %wide.8 = load ptr, ptr %t.7
  %t.9 = getelementptr ptr, ptr %buffers, i64 4
  %counts.10 = load ptr, ptr %t.9
  %t.11 = getelementptr i8, ptr %scalars, i64 0
  %x_shape_0_.12 = load i32, ptr %t.11
  call void @gpucore_workgroups(ptr %x.2, ptr %bits.4, ptr %back.6, ptr %wide.8, ptr %counts.10, i32 %x_shape_0_.12, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last)
  ret void
}

define internal void @gpucore_workgroups(ptr noalias nonnull align 64 %buffer0, ptr noalias nonnull align 64 %buffer1, ptr noalias nonnull align 64 %buffer2, ptr noalias nonnull align 64 %buffer3, ptr noalias nonnull align 64 %buffer4, i32 %param0, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) noinline nounwind {
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
  %place.34 = getelementptr inbounds i32, ptr %buffer0, i64 %index.33
  %x.35 = load i32, ptr %place.34, align 4, !llvm.access.group !0
  %t.36 = call i32 @llvm.umax.i32(i32 %x.35, i32 1)
  %t.37 = xor i32 %t.36, -2147483648
  %t.38 = sext i32 %workgroup_id.13 to i64
  %index.39 = mul nsw i64 %t.38, 64
  %index.40 = add nsw i64 %index.39, %local_x.26
  %place.41 = getelementptr inbounds i32, ptr %buffer1, i64 %index.40
  %t.42 = uitofp i32 %t.36 to float
  %t.43 = fmul contract float %t.42, 0x3FF8000000000000
  %t.44 = call i32 @llvm.fptoui.sat.i32.f32(float %t.43)
  %t.45 = add i32 %t.37, %t.44
  store i32 %t.45, ptr %place.41, align 4, !llvm.access.group !0
  %t.46 = sext i32 %workgroup_id.13 to i64
  %index.47 = mul nsw i64 %t.46, 64
  %index.48 = add nsw i64 %index.47, %local_x.26
  %place.49 = getelementptr inbounds i32, ptr %buffer2, i64 %index.48
  %t.50 = uitofp i32 %t.36 to float
  %t.51 = call i32 @llvm.fptosi.sat.i32.f32(float %t.50)
  %t.52 = call i32 @llvm.umin.i32(i32 %t.51, i32 -1)
  store i32 %t.52, ptr %place.49, align 4, !llvm.access.group !0
  %t.53 = sext i32 %workgroup_id.13 to i64
  %index.54 = mul nsw i64 %t.53, 64
  %index.55 = add nsw i64 %index.54, %local_x.26
  %place.56 = getelementptr inbounds double, ptr %buffer3, i64 %index.55
  %wide.57 = load double, ptr %place.56, align 8, !llvm.access.group !0
  %t.58 = sext i32 %workgroup_id.13 to i64
  %index.59 = mul nsw i64 %t.58, 64
  %index.60 = add nsw i64 %index.59, %local_x.26
  %place.61 = getelementptr inbounds double, ptr %buffer3, i64 %index.60
  %t.62 = uitofp i32 %t.36 to double
  %t.63 = fadd contract double %wide.57, %t.62
  store double %t.63, ptr %place.61, align 8, !llvm.access.group !0
  %t.64 = sext i32 %workgroup_id.13 to i64
  %index.65 = mul nsw i64 %t.64, 64
  %index.66 = add nsw i64 %index.65, %local_x.26
  %place.67 = getelementptr inbounds i64, ptr %buffer4, i64 %index.66
  %counts.68 = load i64, ptr %place.67, align 8, !llvm.access.group !0
  %t.69 = sext i32 %workgroup_id.13 to i64
  %index.70 = mul nsw i64 %t.69, 64
  %index.71 = add nsw i64 %index.70, %local_x.26
  %place.72 = getelementptr inbounds double, ptr %buffer3, i64 %index.71
  %wide.73 = load double, ptr %place.72, align 8, !llvm.access.group !0
  %t.74 = sext i32 %workgroup_id.13 to i64
  %index.75 = mul nsw i64 %t.74, 64
  %index.76 = add nsw i64 %index.75, %local_x.26
  %place.77 = getelementptr inbounds i64, ptr %buffer4, i64 %index.76
  %t.78 = call i64 @llvm.fptosi.sat.i64.f64(double %wide.73)
  %t.79 = and i64 33, 63
  %t.80 = shl i64 %t.78, %t.79
  %t.81 = add i64 %counts.68, %t.80
  store i64 %t.81, ptr %place.77, align 8, !llvm.access.group !0
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

declare i32 @llvm.fptosi.sat.i32.f32(float)
declare i64 @llvm.fptosi.sat.i64.f64(double)
declare i32 @llvm.fptoui.sat.i32.f32(float)
declare i64 @llvm.smin.i64(i64, i64)
declare i32 @llvm.umax.i32(i32, i32)
declare i32 @llvm.umin.i32(i32, i32)

!0 = distinct !{}
!1 = !{!"llvm.loop.parallel_accesses", !0}
!2 = !{!"llvm.loop.unroll.disable"}
!3 = distinct !{!3, !1, !2}
