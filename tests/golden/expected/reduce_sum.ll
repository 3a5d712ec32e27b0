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
  %choice.36 = alloca <8 x float>, align 32
  %half.50 = alloca i32, align 4
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
  %t.24 = insertelement <8 x i32> poison, i32 %local_id.23, i32 0
  %t.25 = shufflevector <8 x i32> %t.24, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.26 = add nsw <8 x i32> %t.25, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.27 = insertelement <8 x i32> poison, i32 %t.22, i32 0
  %t.28 = shufflevector <8 x i32> %t.27, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.29 = add nsw <8 x i32> %t.28, %t.26
  %t.30 = sext i32 %workgroup_id.13 to i64
  %index.31 = mul i64 %t.30, 128
  %index.32 = add i64 %index.31, %local_x.20
  %t.33 = insertelement <8 x i32> poison, i32 %param0, i32 0
  %t.34 = shufflevector <8 x i32> %t.33, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.35 = icmp slt <8 x i32> %t.29, %t.34
  store <8 x float> undef, ptr %choice.36
  %t.38 = sext i32 %workgroup_id.13 to i64
  %index.39 = mul i64 %t.38, 128
  %index.40 = add i64 %index.39, %local_x.20
  %place.41 = getelementptr inbounds float, ptr %buffer0, i64 %index.40
  %x.42 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %place.41, i32 4, <8 x i1> %t.35, <8 x float> poison)
  %choice.43 = load <8 x float>, ptr %choice.36
  %t.44 = select <8 x i1> %t.35, <8 x float> %x.42, <8 x float> %choice.43
  store <8 x float> %t.44, ptr %choice.36
  %t.45 = xor <8 x i1> %t.35, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %choice.46 = load <8 x float>, ptr %choice.36
  %t.47 = select <8 x i1> %t.45, <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>, <8 x float> %choice.46
  store <8 x float> %t.47, ptr %choice.36
  %choice.48 = load <8 x float>, ptr %choice.36
  %place.49 = getelementptr inbounds float, ptr %scratch0, i64 %local_x.20
  store <8 x float> %choice.48, ptr %place.49, align 4
  br label %local_x_next.18
local_x_next.18:
  %local_x.20.next = add nsw i64 %local_x.20, 8
  br label %local_x_head.16
local_x_end.19:
  ; barrier: every invocation has run the region above
  store i32 64, ptr %half.50
  br label %loop.51
loop.51:
  %half.53 = load i32, ptr %half.50
  %t.54 = icmp sle i32 %half.53, 0
  br i1 %t.54, label %then.55, label %else.56
then.55:
  br label %loop_end.52
else.56:
  br label %endif.57
endif.57:
  %t.58 = sext i32 0 to i64
  %half.59 = load i32, ptr %half.50
  %t.60 = sext i32 %half.59 to i64
  %room.61 = sub nsw i64 %t.60, %t.58
  %t.62 = call i64 @llvm.smin.i64(i64 %room.61, i64 128)
  %count.63 = call i64 @llvm.smax.i64(i64 %t.62, i64 0)
  %t.64 = and i64 %count.63, -8
  %t.65 = sub nsw i64 %count.63, %t.64
  br label %local_x_head.66
local_x_head.66:
  %local_x.70 = phi i64 [ 0, %endif.57 ], [ %local_x.70.next, %local_x_next.68 ]
  %t.71 = icmp slt i64 %local_x.70, %t.64
  br i1 %t.71, label %local_x_body.67, label %local_x_end.69
local_x_body.67:
  %place.72 = getelementptr inbounds float, ptr %scratch0, i64 %local_x.70
  %shared.73 = load <8 x float>, ptr %place.72, align 4
  %half.74 = load i32, ptr %half.50
  %t.75 = sext i32 %half.74 to i64
  %index.76 = add i64 %local_x.70, %t.75
  %place.77 = getelementptr inbounds float, ptr %scratch0, i64 %index.76
  %shared.78 = load <8 x float>, ptr %place.77, align 4
  %t.79 = fadd contract <8 x float> %shared.73, %shared.78
  %place.80 = getelementptr inbounds float, ptr %scratch0, i64 %local_x.70
  store <8 x float> %t.79, ptr %place.80, align 4
  br label %local_x_next.68
local_x_next.68:
  %local_x.70.next = add nsw i64 %local_x.70, 8
  br label %local_x_head.66
local_x_end.69:
  %t.83 = icmp sgt i64 %t.65, 0
  br i1 %t.83, label %last_gang.82, label %row_end.81
last_gang.82:
  %t.84 = insertelement <8 x i64> poison, i64 %t.65, i32 0
  %t.85 = shufflevector <8 x i64> %t.84, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask.86 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %t.85
  %place.87 = getelementptr inbounds float, ptr %scratch0, i64 %t.64
  %shared.88 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %place.87, i32 4, <8 x i1> %mask.86, <8 x float> poison)
  %half.89 = load i32, ptr %half.50
  %t.90 = sext i32 %half.89 to i64
  %index.91 = add i64 %t.64, %t.90
  %place.92 = getelementptr inbounds float, ptr %scratch0, i64 %index.91
  %shared.93 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %place.92, i32 4, <8 x i1> %mask.86, <8 x float> poison)
  %t.94 = fadd contract <8 x float> %shared.88, %shared.93
  %place.95 = getelementptr inbounds float, ptr %scratch0, i64 %t.64
  call void @llvm.masked.store.v8f32.p0(<8 x float> %t.94, ptr %place.95, i32 4, <8 x i1> %mask.86)
  br label %row_end.81
row_end.81:
  ; barrier: every invocation has run the region above
  %half.96 = load i32, ptr %half.50
  %t.97 = icmp eq i32 2, 0
  %t.98 = icmp eq i32 2, -1
  %t.99 = or i1 %t.97, %t.98
  %t.100 = select i1 %t.99, i32 1, i32 2
  %t.101 = srem i32 %half.96, %t.100
  %t.102 = icmp ne i32 %t.101, 0
  %t.103 = xor i32 %t.101, %t.100
  %t.104 = icmp slt i32 %t.103, 0
  %t.105 = and i1 %t.102, %t.104
  %t.106 = sdiv i32 %half.96, %t.100
  %t.107 = select i1 %t.105, i32 -1, i32 0
  %t.108 = add i32 %t.106, %t.107
  %t.109 = sub i32 0, %half.96
  %t.110 = select i1 %t.98, i32 %t.109, i32 %t.108
  store i32 %t.110, ptr %half.50
  br label %loop.51
loop_end.52:
  br label %local_x_head.111
local_x_head.111:
  %local_x.115 = phi i64 [ 0, %loop_end.52 ], [ %local_x.115.next, %local_x_next.113 ]
  %t.116 = icmp slt i64 %local_x.115, 128
  br i1 %t.116, label %local_x_body.112, label %local_x_end.114
local_x_body.112:
  %local_id.117 = trunc i64 %local_x.115 to i32
  %t.118 = insertelement <8 x i32> poison, i32 %local_id.117, i32 0
  %t.119 = shufflevector <8 x i32> %t.118, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.120 = add nsw <8 x i32> %t.119, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.121 = icmp eq <8 x i32> %t.120, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.125 = bitcast <8 x i1> %t.121 to i8
  %t.126 = icmp ne i8 %t.125, 0
  br i1 %t.126, label %lanes.123, label %endlanes.124
lanes.123:
  %place.127 = getelementptr inbounds float, ptr %scratch0, i64 0
  %shared.128 = load float, ptr %place.127, align 4
  %t.129 = sext i32 %workgroup_id.13 to i64
  %place.130 = getelementptr inbounds float, ptr %buffer1, i64 %t.129
  store float %shared.128, ptr %place.130, align 4
  br label %endlanes.124
endlanes.124:
  br label %local_x_next.113
local_x_next.113:
  %local_x.115.next = add nsw i64 %local_x.115, 8
  br label %local_x_head.111
local_x_end.114:
  br label %workgroup_next.3
workgroup_next.3:
  %workgroup.5.next = add nsw i64 %workgroup.5, 1
  br label %workgroup_head.1
workgroup_end.4:
  ret void
}

declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
