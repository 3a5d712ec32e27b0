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
  %workgroup_id.7 = alloca i32, align 4
  %workgroup_id.9 = alloca i32, align 4
  %workgroup_id.11 = alloca i32, align 4
  %choice.42 = alloca <8 x float>, align 32
  %half.56 = alloca i32, align 4
  %t.1 = zext i32 %gx to i64
  %t.2 = zext i32 %gy to i64
  %t.3 = urem i64 %first, %t.1
  %t.4 = udiv i64 %first, %t.1
  %t.5 = urem i64 %t.4, %t.2
  %t.6 = udiv i64 %t.4, %t.2
  %t.8 = trunc i64 %t.3 to i32
  store i32 %t.8, ptr %workgroup_id.7
  %t.10 = trunc i64 %t.5 to i32
  store i32 %t.10, ptr %workgroup_id.9
  %t.12 = trunc i64 %t.6 to i32
  store i32 %t.12, ptr %workgroup_id.11
  br label %workgroup_head.13
workgroup_head.13:
  %workgroup.17 = phi i64 [ %first, %entry ], [ %workgroup.17.next, %workgroup_next.15 ]
  %t.18 = icmp slt i64 %workgroup.17, %last
  br i1 %t.18, label %workgroup_body.14, label %workgroup_end.16
workgroup_body.14:
  %workgroup_id.19 = load i32, ptr %workgroup_id.7
  %workgroup_id.20 = load i32, ptr %workgroup_id.9
  %workgroup_id.21 = load i32, ptr %workgroup_id.11
  br label %local_x_head.22
local_x_head.22:
  %local_x.26 = phi i64 [ 0, %workgroup_body.14 ], [ %local_x.26.next, %local_x_next.24 ]
  %t.27 = icmp slt i64 %local_x.26, 128
  br i1 %t.27, label %local_x_body.23, label %local_x_end.25
local_x_body.23:
  %t.28 = mul nsw i32 %workgroup_id.19, 128
  %local_id.29 = trunc i64 %local_x.26 to i32
  %t.30 = insertelement <8 x i32> poison, i32 %local_id.29, i32 0
  %t.31 = shufflevector <8 x i32> %t.30, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.32 = add nsw <8 x i32> %t.31, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.33 = insertelement <8 x i32> poison, i32 %t.28, i32 0
  %t.34 = shufflevector <8 x i32> %t.33, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.35 = add nsw <8 x i32> %t.34, %t.32
  %t.36 = sext i32 %workgroup_id.19 to i64
  %index.37 = mul i64 %t.36, 128
  %index.38 = add i64 %index.37, %local_x.26
  %t.39 = insertelement <8 x i32> poison, i32 %param0, i32 0
  %t.40 = shufflevector <8 x i32> %t.39, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.41 = icmp slt <8 x i32> %t.35, %t.40
  store <8 x float> undef, ptr %choice.42
  %t.44 = sext i32 %workgroup_id.19 to i64
  %index.45 = mul i64 %t.44, 128
  %index.46 = add i64 %index.45, %local_x.26
  %place.47 = getelementptr float, ptr %buffer0, i64 %index.46
  %x.48 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %place.47, i32 4, <8 x i1> %t.41, <8 x float> poison)
  %choice.49 = load <8 x float>, ptr %choice.42
  %t.50 = select <8 x i1> %t.41, <8 x float> %x.48, <8 x float> %choice.49
  store <8 x float> %t.50, ptr %choice.42
  %t.51 = xor <8 x i1> %t.41, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %choice.52 = load <8 x float>, ptr %choice.42
  %t.53 = select <8 x i1> %t.51, <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>, <8 x float> %choice.52
  store <8 x float> %t.53, ptr %choice.42
  %choice.54 = load <8 x float>, ptr %choice.42
  %place.55 = getelementptr inbounds float, ptr %scratch0, i64 %local_x.26
  store <8 x float> %choice.54, ptr %place.55, align 4
  br label %local_x_next.24
local_x_next.24:
  %local_x.26.next = add nsw i64 %local_x.26, 8
  br label %local_x_head.22
local_x_end.25:
  ; barrier: every invocation has run the region above
  store i32 64, ptr %half.56
  br label %loop.57
loop.57:
  %half.59 = load i32, ptr %half.56
  %t.60 = icmp sle i32 %half.59, 0
  br i1 %t.60, label %then.61, label %else.62
then.61:
  br label %loop_end.58
else.62:
  br label %endif.63
endif.63:
  %t.64 = sext i32 0 to i64
  %half.65 = load i32, ptr %half.56
  %t.66 = sext i32 %half.65 to i64
  %room.67 = sub nsw i64 %t.66, %t.64
  %t.68 = call i64 @llvm.smin.i64(i64 %room.67, i64 128)
  %count.69 = call i64 @llvm.smax.i64(i64 %t.68, i64 0)
  %t.70 = and i64 %count.69, -8
  %t.71 = sub nsw i64 %count.69, %t.70
  br label %local_x_head.72
local_x_head.72:
  %local_x.76 = phi i64 [ 0, %endif.63 ], [ %local_x.76.next, %local_x_next.74 ]
  %t.77 = icmp slt i64 %local_x.76, %t.70
  br i1 %t.77, label %local_x_body.73, label %local_x_end.75
local_x_body.73:
  %place.78 = getelementptr inbounds float, ptr %scratch0, i64 %local_x.76
  %shared.79 = load <8 x float>, ptr %place.78, align 4
  %half.80 = load i32, ptr %half.56
  %t.81 = sext i32 %half.80 to i64
  %t.82 = trunc i64 %t.81 to i32
  %t.83 = sext i32 %t.82 to i64
  %index.84 = add i64 %t.83, %local_x.76
  %place.85 = getelementptr inbounds float, ptr %scratch0, i64 %index.84
  %shared.86 = load <8 x float>, ptr %place.85, align 4
  %t.87 = fadd contract <8 x float> %shared.79, %shared.86
  %place.88 = getelementptr inbounds float, ptr %scratch0, i64 %local_x.76
  store <8 x float> %t.87, ptr %place.88, align 4
  br label %local_x_next.74
local_x_next.74:
  %local_x.76.next = add nsw i64 %local_x.76, 8
  br label %local_x_head.72
local_x_end.75:
  %t.91 = icmp sgt i64 %t.71, 0
  br i1 %t.91, label %last_gang.90, label %row_end.89
last_gang.90:
  %t.92 = insertelement <8 x i64> poison, i64 %t.71, i32 0
  %t.93 = shufflevector <8 x i64> %t.92, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask.94 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %t.93
  %place.95 = getelementptr float, ptr %scratch0, i64 %t.70
  %shared.96 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %place.95, i32 4, <8 x i1> %mask.94, <8 x float> poison)
  %half.97 = load i32, ptr %half.56
  %t.98 = sext i32 %half.97 to i64
  %t.99 = trunc i64 %t.98 to i32
  %t.100 = sext i32 %t.99 to i64
  %index.101 = add i64 %t.100, %t.70
  %place.102 = getelementptr float, ptr %scratch0, i64 %index.101
  %shared.103 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %place.102, i32 4, <8 x i1> %mask.94, <8 x float> poison)
  %t.104 = fadd contract <8 x float> %shared.96, %shared.103
  %place.105 = getelementptr float, ptr %scratch0, i64 %t.70
  call void @llvm.masked.store.v8f32.p0(<8 x float> %t.104, ptr %place.105, i32 4, <8 x i1> %mask.94)
  br label %row_end.89
row_end.89:
  ; barrier: every invocation has run the region above
  %half.106 = load i32, ptr %half.56
  %t.107 = icmp eq i32 2, 0
  %t.108 = icmp eq i32 2, -1
  %t.109 = or i1 %t.107, %t.108
  %t.110 = select i1 %t.109, i32 1, i32 2
  %t.111 = srem i32 %half.106, %t.110
  %t.112 = icmp ne i32 %t.111, 0
  %t.113 = xor i32 %t.111, %t.110
  %t.114 = icmp slt i32 %t.113, 0
  %t.115 = and i1 %t.112, %t.114
  %t.116 = sdiv i32 %half.106, %t.110
  %t.117 = select i1 %t.115, i32 -1, i32 0
  %t.118 = add i32 %t.116, %t.117
  %t.119 = sub i32 0, %half.106
  %t.120 = select i1 %t.108, i32 %t.119, i32 %t.118
  store i32 %t.120, ptr %half.56
  br label %loop.57
loop_end.58:
  br label %local_x_head.121
local_x_head.121:
  %local_x.125 = phi i64 [ 0, %loop_end.58 ], [ %local_x.125.next, %local_x_next.123 ]
  %t.126 = icmp slt i64 %local_x.125, 128
  br i1 %t.126, label %local_x_body.122, label %local_x_end.124
local_x_body.122:
  %local_id.127 = trunc i64 %local_x.125 to i32
  %t.128 = insertelement <8 x i32> poison, i32 %local_id.127, i32 0
  %t.129 = shufflevector <8 x i32> %t.128, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.130 = add nsw <8 x i32> %t.129, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.131 = icmp eq <8 x i32> %t.130, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.135 = bitcast <8 x i1> %t.131 to i8
  %t.136 = icmp ne i8 %t.135, 0
  br i1 %t.136, label %lanes.133, label %endlanes.134
lanes.133:
  %place.137 = getelementptr inbounds float, ptr %scratch0, i64 0
  %shared.138 = load float, ptr %place.137, align 4
  %t.139 = sext i32 %workgroup_id.19 to i64
  %place.140 = getelementptr inbounds float, ptr %buffer1, i64 %t.139
  store float %shared.138, ptr %place.140, align 4
  br label %endlanes.134
endlanes.134:
  br label %local_x_next.123
local_x_next.123:
  %local_x.125.next = add nsw i64 %local_x.125, 8
  br label %local_x_head.121
local_x_end.124:
  %t.141 = zext i1 true to i32
  %t.142 = add nuw i32 %workgroup_id.19, %t.141
  %t.143 = icmp eq i32 %t.142, %gx
  %t.144 = select i1 %t.143, i32 0, i32 %t.142
  store i32 %t.144, ptr %workgroup_id.7
  %t.145 = zext i1 %t.143 to i32
  %t.146 = add nuw i32 %workgroup_id.20, %t.145
  %t.147 = icmp eq i32 %t.146, %gy
  %t.148 = select i1 %t.147, i32 0, i32 %t.146
  store i32 %t.148, ptr %workgroup_id.9
  %t.149 = zext i1 %t.147 to i32
  %t.150 = add nuw i32 %workgroup_id.21, %t.149
  %t.151 = icmp eq i32 %t.150, %gz
  %t.152 = select i1 %t.151, i32 0, i32 %t.150
  store i32 %t.152, ptr %workgroup_id.11
  br label %workgroup_next.15
workgroup_next.15:
  %workgroup.17.next = add nsw i64 %workgroup.17, 1
  br label %workgroup_head.13
workgroup_end.16:
  ret void
}

declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
