; kernel mathematics
@gpucore_scratch_nbytes = constant i64 0

define void @gpucore_entry(ptr %buffers, ptr %scalars, ptr %scratch, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) nounwind {
entry:
  %t.1 = getelementptr ptr, ptr %buffers, i64 0
  %x.2 = load ptr, ptr %t.1
  %t.3 = getelementptr ptr, ptr %buffers, i64 1
  %y.4 = load ptr, ptr %t.3
  %t.5 = getelementptr ptr, ptr %buffers, i64 2
  %out.6 = load ptr, ptr %t.5
  %t.7 = getelementptr ptr, ptr %buffers, i64 3
  %half.8 = load ptr, ptr %t.7
  %t.9 = getelementptr i8, ptr %scalars, i64 0
  %out_shape_0_.10 = load i32, ptr %t.9
  call void @gpucore_workgroups(ptr %x.2, ptr %y.4, ptr %out.6, ptr %half.8, i32 %out_shape_0_.10, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last)
  ret void
}

define internal void @gpucore_workgroups(ptr noalias nonnull align 64 %buffer0, ptr noalias nonnull align 64 %buffer1, ptr noalias nonnull align 64 %buffer2, ptr noalias nonnull align 64 %buffer3, i32 %param0, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) noinline nounwind {
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
  %place.34 = getelementptr inbounds float, ptr %buffer0, i64 %index.33
  %x.35 = load float, ptr %place.34, align 4, !llvm.access.group !0
  %t.36 = sext i32 %workgroup_id.13 to i64
  %index.37 = mul nsw i64 %t.36, 64
  %index.38 = add nsw i64 %index.37, %local_x.26
  %place.39 = getelementptr inbounds float, ptr %buffer1, i64 %index.38
  %y.40 = load float, ptr %place.39, align 4, !llvm.access.group !0
  %t.41 = call float @llvm.fabs.f32(float %x.35)
  %t.42 = call float @llvm.sqrt.f32(float %t.41)
  %t.43 = call float @llvm.fabs.f32(float %y.40)
  %t.44 = fadd contract float %t.43, 0x3FF0000000000000
  %t.45 = call float @llvm.sqrt.f32(float %t.44)
  %t.46 = fdiv float 0x3FF0000000000000, %t.45
  %t.47 = fadd contract float %t.42, %t.46
  %t.48 = call float @llvm.floor.f32(float %x.35)
  %t.49 = fadd contract float %t.47, %t.48
  %t.50 = call float @llvm.ceil.f32(float %y.40)
  %t.51 = fsub contract float %t.49, %t.50
  %t.52 = call float @llvm.roundeven.f32(float %x.35)
  %t.53 = fadd contract float %t.51, %t.52
  %t.54 = call float @llvm.trunc.f32(float %y.40)
  %t.55 = fadd contract float %t.53, %t.54
  %t.56 = call float @llvm.floor.f32(float %x.35)
  %t.57 = fsub contract float %x.35, %t.56
  %t.58 = fadd contract float %t.55, %t.57
  %t.59 = call float @llvm.sin.f32(float %x.35)
  %t.60 = call float @llvm.cos.f32(float %y.40)
  %t.61 = fmul contract float %t.59, %t.60
  %t.62 = call float @tanf(float %x.35)
  %t.63 = fadd contract float %t.61, %t.62
  %t.64 = call float @llvm.maxnum.f32(float %x.35, float 0xBFF0000000000000)
  %t.65 = call float @llvm.minnum.f32(float %t.64, float 0x3FF0000000000000)
  %t.66 = call float @asinf(float %t.65)
  %t.67 = fadd contract float %t.63, %t.66
  %t.68 = call float @llvm.maxnum.f32(float %y.40, float 0xBFF0000000000000)
  %t.69 = call float @llvm.minnum.f32(float %t.68, float 0x3FF0000000000000)
  %t.70 = call float @acosf(float %t.69)
  %t.71 = fadd contract float %t.67, %t.70
  %t.72 = fadd contract float %t.58, %t.71
  %t.73 = call float @atanf(float %x.35)
  %t.74 = call float @atan2f(float %x.35, float %y.40)
  %t.75 = fadd contract float %t.73, %t.74
  %t.76 = call float @sinhf(float %x.35)
  %t.77 = fadd contract float %t.75, %t.76
  %t.78 = call float @coshf(float %y.40)
  %t.79 = fadd contract float %t.77, %t.78
  %t.80 = call float @tanhf(float %x.35)
  %t.81 = fadd contract float %t.79, %t.80
  %t.82 = fadd contract float %t.72, %t.81
  %t.83 = call float @llvm.exp.f32(float %x.35)
  %t.84 = call float @llvm.exp2.f32(float %y.40)
  %t.85 = fadd contract float %t.83, %t.84
  %t.86 = call float @llvm.fabs.f32(float %x.35)
  %t.87 = fadd contract float %t.86, 0x3FF0000000000000
  %t.88 = call float @llvm.log.f32(float %t.87)
  %t.89 = fadd contract float %t.85, %t.88
  %t.90 = call float @llvm.fabs.f32(float %y.40)
  %t.91 = fadd contract float %t.90, 0x3FF0000000000000
  %t.92 = call float @llvm.log2.f32(float %t.91)
  %t.93 = fadd contract float %t.89, %t.92
  %t.94 = call float @llvm.fabs.f32(float %x.35)
  %t.95 = call float @llvm.pow.f32(float %t.94, float %y.40)
  %t.96 = fadd contract float %t.93, %t.95
  %t.97 = fadd contract float %t.82, %t.96
  %t.98 = call float @llvm.fma.f32(float %x.35, float %y.40, float %t.97)
  %t.99 = fcmp olt float %x.35, 0x0000000000000000
  %t.100 = select i1 %t.99, float 0xBFF0000000000000, float 0x0000000000000000
  %t.101 = fcmp ogt float %x.35, 0x0000000000000000
  %t.102 = select i1 %t.101, float 0x3FF0000000000000, float %t.100
  %t.103 = fadd contract float %t.98, %t.102
  %t.104 = fcmp oge float %y.40, %x.35
  %t.105 = select i1 %t.104, float 0x3FF0000000000000, float 0x0000000000000000
  %t.106 = fadd contract float %t.103, %t.105
  %t.107 = call float @llvm.minnum.f32(float %x.35, float %y.40)
  %t.108 = call float @llvm.maxnum.f32(float %x.35, float %y.40)
  %t.109 = fmul contract float %t.107, %t.108
  %t.110 = fadd contract float %y.40, 0x4008000000000000
  %t.111 = fdiv float %t.109, %t.110
  %t.112 = fadd contract float %t.106, %t.111
  %t.113 = fadd contract float %t.97, %t.112
  %t.114 = fcmp uno float %t.113, %t.113
  %t.115 = call float @llvm.fabs.f32(float %t.113)
  %t.116 = fcmp oeq float %t.115, 0x7FF0000000000000
  %t.117 = or i1 %t.114, %t.116
  %t.118 = select i1 %t.117, float 0x0000000000000000, float %t.113
  %t.119 = sext i32 %workgroup_id.13 to i64
  %index.120 = mul nsw i64 %t.119, 64
  %index.121 = add nsw i64 %index.120, %local_x.26
  %place.122 = getelementptr inbounds float, ptr %buffer2, i64 %index.121
  store float %t.118, ptr %place.122, align 4, !llvm.access.group !0
  %t.123 = sext i32 %workgroup_id.13 to i64
  %index.124 = mul nsw i64 %t.123, 64
  %index.125 = add nsw i64 %index.124, %local_x.26
  %place.126 = getelementptr inbounds half, ptr %buffer3, i64 %index.125
  %t.127 = fptrunc float %t.118 to half
  store half %t.127, ptr %place.126, align 2, !llvm.access.group !0
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

declare float @acosf(float) nounwind willreturn memory(none)
declare float @asinf(float) nounwind willreturn memory(none)
declare float @atan2f(float, float) nounwind willreturn memory(none)
declare float @atanf(float) nounwind willreturn memory(none)
declare float @coshf(float) nounwind willreturn memory(none)
declare float @llvm.ceil.f32(float)
declare float @llvm.cos.f32(float)
declare float @llvm.exp.f32(float)
declare float @llvm.exp2.f32(float)
declare float @llvm.fabs.f32(float)
declare float @llvm.floor.f32(float)
declare float @llvm.fma.f32(float, float, float)
declare float @llvm.log.f32(float)
declare float @llvm.log2.f32(float)
declare float @llvm.maxnum.f32(float, float)
declare float @llvm.minnum.f32(float, float)
declare float @llvm.pow.f32(float, float)
declare float @llvm.roundeven.f32(float)
declare float @llvm.sin.f32(float)
declare i64 @llvm.smin.i64(i64, i64)
declare float @llvm.sqrt.f32(float)
declare float @llvm.trunc.f32(float)
declare float @sinhf(float) nounwind willreturn memory(none)
declare float @tanf(float) nounwind willreturn memory(none)
declare float @tanhf(float) nounwind willreturn memory(none)

!0 = distinct !{}
!1 = !{!"llvm.loop.parallel_accesses", !0}
!2 = !{!"llvm.loop.unroll.disable"}
!3 = distinct !{!3, !1, !2}
