; kernel particles
@gpucore_scratch_nbytes = constant i64 0

define void @gpucore_entry(ptr %buffers, ptr %scalars, ptr %scratch, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) nounwind {
entry:
  %t.1 = getelementptr ptr, ptr %buffers, i64 0
  %places.2 = load ptr, ptr %t.1
  %t.3 = getelementptr ptr, ptr %buffers, i64 1
  %speeds.4 = load ptr, ptr %t.3
  %t.5 = getelementptr ptr, ptr %buffers, i64 2
  %energies.6 = load ptr, ptr %t.5
  %t.7 = getelementptr i8, ptr %scalars, i64 0
  %places_shape_0_.8 = load i32, ptr %t.7
  %t.9 = getelementptr i8, ptr %scalars, i64 4
  %seconds.10 = load float, ptr %t.9
  call void @gpucore_workgroups(ptr %places.2, ptr %speeds.4, ptr %energies.6, i32 %places_shape_0_.8, float %seconds.10, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last)
  ret void
}

define internal void @gpucore_workgroups(ptr noalias nonnull align 64 %buffer0, ptr noalias nonnull align 64 %buffer1, ptr noalias nonnull align 64 %buffer2, i32 %param0, float %param1, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) noinline nounwind {
entry:
  %place.41 = alloca <4 x float>, align 16
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
  %place.34 = getelementptr inbounds <4 x float>, ptr %buffer0, i64 %index.33
  %places.35 = load <4 x float>, ptr %place.34, align 16, !llvm.access.group !0
  %t.36 = sext i32 %workgroup_id.13 to i64
  %index.37 = mul nsw i64 %t.36, 64
  %index.38 = add nsw i64 %index.37, %local_x.26
  %place.39 = getelementptr inbounds <4 x float>, ptr %buffer1, i64 %index.38
  %speeds.40 = load <4 x float>, ptr %place.39, align 16, !llvm.access.group !0
  %t.42 = insertelement <4 x float> poison, float %param1, i32 0
  %t.43 = shufflevector <4 x float> %t.42, <4 x float> poison, <4 x i32> zeroinitializer
  %t.44 = fmul contract <4 x float> %speeds.40, %t.43
  %t.45 = fadd contract <4 x float> %places.35, %t.44
  store <4 x float> %t.45, ptr %place.41, align 16
  %place.46 = load <4 x float>, ptr %place.41
  %t.47 = extractelement <4 x float> %place.46, i32 3
  %t.48 = fcmp olt float %t.47, 0x0000000000000000
  br i1 %t.48, label %then.49, label %endif.51
then.49:
  %place.52 = load <4 x float>, ptr %place.41
  %t.53 = extractelement <4 x float> %place.52, i32 0
  %place.54 = load <4 x float>, ptr %place.41
  %t.55 = extractelement <4 x float> %place.54, i32 1
  %place.56 = load <4 x float>, ptr %place.41
  %t.57 = extractelement <4 x float> %place.56, i32 2
  %t.58 = insertelement <4 x float> poison, float %t.53, i32 0
  %t.59 = insertelement <4 x float> %t.58, float %t.55, i32 1
  %t.60 = insertelement <4 x float> %t.59, float %t.57, i32 2
  %t.61 = insertelement <4 x float> %t.60, float 0x0000000000000000, i32 3
  store <4 x float> %t.61, ptr %place.41, align 16
  br label %endif.51
endif.51:
  %t.62 = sext i32 %workgroup_id.13 to i64
  %index.63 = mul nsw i64 %t.62, 64
  %index.64 = add nsw i64 %index.63, %local_x.26
  %place.65 = getelementptr inbounds <4 x float>, ptr %buffer0, i64 %index.64
  %place.66 = load <4 x float>, ptr %place.41
  %t.67 = call <4 x float> @llvm.maxnum.v4f32(<4 x float> %place.66, <4 x float> <float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000>)
  store <4 x float> %t.67, ptr %place.65, align 16, !llvm.access.group !0
  %t.68 = sext i32 %workgroup_id.13 to i64
  %index.69 = mul nsw i64 %t.68, 64
  %index.70 = add nsw i64 %index.69, %local_x.26
  %place.71 = getelementptr inbounds float, ptr %buffer2, i64 %index.70
  %t.72 = fmul contract <4 x float> %speeds.40, %speeds.40
  %t.73 = extractelement <4 x float> %t.72, i32 0
  %t.74 = extractelement <4 x float> %t.72, i32 1
  %t.75 = fadd contract float %t.73, %t.74
  %t.76 = extractelement <4 x float> %t.72, i32 2
  %t.77 = fadd contract float %t.75, %t.76
  %t.78 = extractelement <4 x float> %t.72, i32 3
  %t.79 = fadd contract float %t.77, %t.78
  %t.80 = fmul contract float %t.79, 0x3FE0000000000000
  %t.81 = extractelement <4 x float> %speeds.40, i32 0
  %t.82 = fadd contract float %t.80, %t.81
  store float %t.82, ptr %place.71, align 4, !llvm.access.group !0
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

declare <4 x float> @llvm.maxnum.v4f32(<4 x float>, <4 x float>)
declare i64 @llvm.smin.i64(i64, i64)

!0 = distinct !{}
!1 = !{!"llvm.loop.parallel_accesses", !0}
!2 = !{!"llvm.loop.unroll.disable"}
!3 = distinct !{!3, !1, !2}
