; kernel expanded
@gpucore_scratch_nbytes = constant i64 0

define void @gpucore_entry(ptr %buffers, ptr %scalars, ptr %scratch, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) nounwind {
entry:
  %t.1 = getelementptr ptr, ptr %buffers, i64 0
  %x.2 = load ptr, ptr %t.1
  %t.3 = getelementptr ptr, ptr %buffers, i64 1
  %words.4 = load ptr, ptr %t.3
  %t.5 = getelementptr ptr, ptr %buffers, i64 2
  %out.6 = load ptr, ptr %t.5
  %t.7 = getelementptr ptr, ptr %buffers, i64 3
  %bits.8 = load ptr, ptr %t.7
  %t.9 = getelementptr i8, ptr %scalars, i64 0
  %x_shape_0_.10 = load i32, ptr %t.9
  %t.11 = getelementptr i8, ptr %scalars, i64 4
  %out_shape_1_.12 = load i32, ptr %t.11
  %t.13 = getelementptr i8, ptr %scalars, i64 8
  %bits_shape_1_.14 = load i32, ptr %t.13
  call void @gpucore_workgroups(ptr %x.2, ptr %words.4, ptr %out.6, ptr %bits.8, i32 %x_shape_0_.10, i32 %out_shape_1_.12, i32 %bits_shape_1_.14, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last)
  ret void
}

define internal void @gpucore_workgroups(ptr noalias nonnull align 64 %buffer0, ptr noalias nonnull align 64 %buffer1, ptr noalias nonnull align 64 %buffer2, ptr noalias nonnull align 64 %buffer3, i32 %param0, i32 %param1, i32 %param2, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) noinline nounwind {
entry:
  %workgroup_id.7 = alloca i32, align 4
  %workgroup_id.9 = alloca i32, align 4
  %workgroup_id.11 = alloca i32, align 4
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
  %t.22 = mul nsw i32 %workgroup_id.19, 64
  %t.23 = add nsw i32 0, %t.22
  %t.24 = sext i32 %t.23 to i64
  %t.25 = sext i32 %param0 to i64
  %room.26 = sub nsw i64 %t.25, %t.24
  %t.27 = call i64 @llvm.smin.i64(i64 %room.26, i64 64)
  %count.28 = call i64 @llvm.smax.i64(i64 %t.27, i64 0)
  %t.29 = and i64 %count.28, -8
  %t.30 = sub nsw i64 %count.28, %t.29
  br label %local_x_head.31
local_x_head.31:
  %local_x.35 = phi i64 [ 0, %workgroup_body.14 ], [ %local_x.35.next, %local_x_next.33 ]
  %t.36 = icmp slt i64 %local_x.35, %t.29
  br i1 %t.36, label %local_x_body.32, label %local_x_end.34
local_x_body.32:
  %t.37 = mul nsw i32 %workgroup_id.19, 64
  %local_id.38 = trunc i64 %local_x.35 to i32
  %t.39 = insertelement <8 x i32> poison, i32 %local_id.38, i32 0
  %t.40 = shufflevector <8 x i32> %t.39, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.41 = add nsw <8 x i32> %t.40, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.42 = insertelement <8 x i32> poison, i32 %t.37, i32 0
  %t.43 = shufflevector <8 x i32> %t.42, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.44 = add nsw <8 x i32> %t.43, %t.41
  %t.45 = sext i32 %workgroup_id.19 to i64
  %index.46 = mul i64 %t.45, 64
  %index.47 = add i64 %index.46, %local_x.35
  %t.48 = sext i32 %workgroup_id.19 to i64
  %index.49 = mul i64 %t.48, 64
  %index.50 = add i64 %index.49, %local_x.35
  %place.51 = getelementptr inbounds float, ptr %buffer0, i64 %index.50
  %x.52 = load <8 x float>, ptr %place.51, align 4
  %t.53 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %x.52)
  %t.54 = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %t.53, <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>)
  %t.55 = fcmp ogt <8 x float> %t.54, <float 0x43B0000000000000, float 0x43B0000000000000, float 0x43B0000000000000, float 0x43B0000000000000, float 0x43B0000000000000, float 0x43B0000000000000, float 0x43B0000000000000, float 0x43B0000000000000>
  %t.56 = select <8 x i1> %t.55, <8 x float> <float 0x3B90000000000000, float 0x3B90000000000000, float 0x3B90000000000000, float 0x3B90000000000000, float 0x3B90000000000000, float 0x3B90000000000000, float 0x3B90000000000000, float 0x3B90000000000000>, <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.57 = fmul contract <8 x float> %t.53, %t.56
  %t.58 = sext i32 %workgroup_id.19 to i64
  %index.59 = mul i64 %t.58, 64
  %index.60 = add i64 %index.59, %local_x.35
  %t.61 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %x.52)
  %t.62 = fcmp oeq <8 x float> %t.61, <float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000>
  %t.63 = fmul contract <8 x float> %t.57, %t.57
  %t.64 = fmul contract <8 x float> %t.56, %t.56
  %t.65 = fadd contract <8 x float> %t.63, %t.64
  %t.66 = call <8 x float> @llvm.sqrt.v8f32(<8 x float> %t.65)
  %t.67 = select <8 x i1> %t.55, <8 x float> <float 0x4450000000000000, float 0x4450000000000000, float 0x4450000000000000, float 0x4450000000000000, float 0x4450000000000000, float 0x4450000000000000, float 0x4450000000000000, float 0x4450000000000000>, <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.68 = fmul contract <8 x float> %t.66, %t.67
  %t.69 = select <8 x i1> %t.62, <8 x float> <float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000>, <8 x float> %t.68
  %place.70 = getelementptr inbounds float, ptr %buffer2, i64 %index.60
  store <8 x float> %t.69, ptr %place.70, align 32 ; may stream
  %t.71 = sext i32 %workgroup_id.19 to i64
  %index.72 = mul i64 %t.71, 64
  %index.73 = add i64 %index.72, %local_x.35
  %place.74 = getelementptr inbounds float, ptr %buffer0, i64 %index.73
  %x.75 = load <8 x float>, ptr %place.74, align 4
  %t.76 = sext i32 %workgroup_id.19 to i64
  %index.77 = mul i64 %t.76, 64
  %index.78 = add i64 %index.77, %local_x.35
  %place.79 = getelementptr inbounds float, ptr %buffer0, i64 %index.78
  %x.80 = load <8 x float>, ptr %place.79, align 4
  %t.81 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %t.44, <8 x i32> <i32 -378, i32 -378, i32 -378, i32 -378, i32 -378, i32 -378, i32 -378, i32 -378>)
  %t.82 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.81, <8 x i32> <i32 381, i32 381, i32 381, i32 381, i32 381, i32 381, i32 381, i32 381>)
  %t.83 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %t.44, <8 x i32> <i32 -378, i32 -378, i32 -378, i32 -378, i32 -378, i32 -378, i32 -378, i32 -378>)
  %t.84 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.83, <8 x i32> <i32 381, i32 381, i32 381, i32 381, i32 381, i32 381, i32 381, i32 381>)
  %t.85 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %t.82, <8 x i32> <i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126>)
  %t.86 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.85, <8 x i32> <i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127>)
  %t.87 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %t.82, <8 x i32> <i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126>)
  %t.88 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.87, <8 x i32> <i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127>)
  %t.89 = sub nsw <8 x i32> %t.82, %t.86
  %t.90 = sub nsw <8 x i32> %t.82, %t.86
  %t.91 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %t.89, <8 x i32> <i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126>)
  %t.92 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.91, <8 x i32> <i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127>)
  %t.93 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %t.89, <8 x i32> <i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126>)
  %t.94 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.93, <8 x i32> <i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127>)
  %t.95 = sub nsw <8 x i32> %t.89, %t.92
  %t.96 = sub nsw <8 x i32> %t.89, %t.92
  %t.97 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %t.95, <8 x i32> <i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126>)
  %t.98 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.97, <8 x i32> <i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127>)
  %t.99 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %t.95, <8 x i32> <i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126>)
  %t.100 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.99, <8 x i32> <i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127>)
  %t.101 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %x.80)
  %t.102 = fcmp olt <8 x float> %t.101, <float 0x39B0000000000000, float 0x39B0000000000000, float 0x39B0000000000000, float 0x39B0000000000000, float 0x39B0000000000000, float 0x39B0000000000000, float 0x39B0000000000000, float 0x39B0000000000000>
  %t.103 = fmul contract <8 x float> %t.101, <float 0x4170000000000000, float 0x4170000000000000, float 0x4170000000000000, float 0x4170000000000000, float 0x4170000000000000, float 0x4170000000000000, float 0x4170000000000000, float 0x4170000000000000>
  %t.104 = select <8 x i1> %t.102, <8 x float> %t.103, <8 x float> %t.101
  %t.105 = bitcast <8 x float> %t.104 to <8 x i32>
  %t.106 = udiv <8 x i32> %t.105, <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.107 = add nuw <8 x i32> %t.106, <i32 709958653, i32 709958653, i32 709958653, i32 709958653, i32 709958653, i32 709958653, i32 709958653, i32 709958653>
  %t.108 = bitcast <8 x i32> %t.107 to <8 x float>
  %t.109 = fmul contract <8 x float> %t.108, %t.108
  %t.110 = fdiv <8 x float> %t.104, %t.109
  %t.111 = fsub contract <8 x float> %t.110, %t.108
  %t.112 = fmul contract <8 x float> %t.111, <float 0x3FD5555560000000, float 0x3FD5555560000000, float 0x3FD5555560000000, float 0x3FD5555560000000, float 0x3FD5555560000000, float 0x3FD5555560000000, float 0x3FD5555560000000, float 0x3FD5555560000000>
  %t.113 = fadd contract <8 x float> %t.108, %t.112
  %t.114 = fmul contract <8 x float> %t.113, %t.113
  %t.115 = fdiv <8 x float> %t.104, %t.114
  %t.116 = fsub contract <8 x float> %t.115, %t.113
  %t.117 = fmul contract <8 x float> %t.116, <float 0x3FD5555560000000, float 0x3FD5555560000000, float 0x3FD5555560000000, float 0x3FD5555560000000, float 0x3FD5555560000000, float 0x3FD5555560000000, float 0x3FD5555560000000, float 0x3FD5555560000000>
  %t.118 = fadd contract <8 x float> %t.113, %t.117
  %t.119 = fmul contract <8 x float> %t.118, %t.118
  %t.120 = fdiv <8 x float> %t.104, %t.119
  %t.121 = fsub contract <8 x float> %t.120, %t.118
  %t.122 = fmul contract <8 x float> %t.121, <float 0x3FD5555560000000, float 0x3FD5555560000000, float 0x3FD5555560000000, float 0x3FD5555560000000, float 0x3FD5555560000000, float 0x3FD5555560000000, float 0x3FD5555560000000, float 0x3FD5555560000000>
  %t.123 = fadd contract <8 x float> %t.118, %t.122
  %t.124 = fmul contract <8 x float> %t.123, <float 0x3F70000000000000, float 0x3F70000000000000, float 0x3F70000000000000, float 0x3F70000000000000, float 0x3F70000000000000, float 0x3F70000000000000, float 0x3F70000000000000, float 0x3F70000000000000>
  %t.125 = select <8 x i1> %t.102, <8 x float> %t.124, <8 x float> %t.123
  %t.126 = sext i32 %workgroup_id.19 to i64
  %index.127 = mul i64 %t.126, 64
  %index.128 = add i64 %index.127, %local_x.35
  %t.129 = sext i32 %param1 to i64
  %t.130 = sext i32 %param1 to i64
  %index.131 = add i64 %t.130, %index.47
  %t.132 = add nsw <8 x i32> %t.98, <i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127>
  %t.133 = and <8 x i32> <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.134 = shl <8 x i32> %t.132, %t.133
  %t.135 = bitcast <8 x i32> %t.134 to <8 x float>
  %t.136 = fmul contract <8 x float> %x.75, %t.135
  %t.137 = add nsw <8 x i32> %t.92, <i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127>
  %t.138 = and <8 x i32> <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.139 = shl <8 x i32> %t.137, %t.138
  %t.140 = bitcast <8 x i32> %t.139 to <8 x float>
  %t.141 = fmul contract <8 x float> %t.136, %t.140
  %t.142 = add nsw <8 x i32> %t.86, <i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127>
  %t.143 = and <8 x i32> <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.144 = shl <8 x i32> %t.142, %t.143
  %t.145 = bitcast <8 x i32> %t.144 to <8 x float>
  %t.146 = fmul contract <8 x float> %t.141, %t.145
  %t.147 = fcmp ogt <8 x float> %t.101, <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.148 = fcmp olt <8 x float> %t.101, <float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000>
  %t.149 = and <8 x i1> %t.147, %t.148
  %t.150 = fcmp olt <8 x float> %x.80, <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.151 = fneg <8 x float> %t.125
  %t.152 = select <8 x i1> %t.150, <8 x float> %t.151, <8 x float> %t.125
  %t.153 = select <8 x i1> %t.149, <8 x float> %t.152, <8 x float> %x.80
  %t.154 = call <8 x float> @llvm.copysign.v8f32(<8 x float> %t.146, <8 x float> %t.153)
  %place.155 = getelementptr inbounds float, ptr %buffer2, i64 %index.131
  %t.159 = ptrtoint ptr %place.155 to i64
  %t.160 = and i64 %t.159, 31
  %t.161 = icmp eq i64 %t.160, -1 ; 0 to stream
  br i1 %t.161, label %aligned.156, label %shifted.157
aligned.156:
  store <8 x float> %t.154, ptr %place.155, align 32 ; may stream
  br label %stored.158
shifted.157:
  store <8 x float> %t.154, ptr %place.155, align 4
  br label %stored.158
stored.158:
  %t.162 = sext i32 %workgroup_id.19 to i64
  %index.163 = mul i64 %t.162, 64
  %index.164 = add i64 %index.163, %local_x.35
  %place.165 = getelementptr inbounds float, ptr %buffer0, i64 %index.164
  %x.166 = load <8 x float>, ptr %place.165, align 4
  %t.167 = sext i32 %workgroup_id.19 to i64
  %index.168 = mul i64 %t.167, 64
  %index.169 = add i64 %index.168, %local_x.35
  %place.170 = getelementptr inbounds float, ptr %buffer0, i64 %index.169
  %x.171 = load <8 x float>, ptr %place.170, align 4
  %t.172 = fadd contract <8 x float> %x.166, <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.173 = bitcast <8 x float> %t.172 to <8 x i32>
  %t.174 = add <8 x i32> %t.173, <i32 4913933, i32 4913933, i32 4913933, i32 4913933, i32 4913933, i32 4913933, i32 4913933, i32 4913933>
  %t.175 = bitcast <8 x float> %t.172 to <8 x i32>
  %t.176 = bitcast <8 x float> %t.172 to <8 x i32>
  %t.177 = add <8 x i32> %t.176, <i32 4913933, i32 4913933, i32 4913933, i32 4913933, i32 4913933, i32 4913933, i32 4913933, i32 4913933>
  %t.178 = and <8 x i32> <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.179 = lshr <8 x i32> %t.174, %t.178
  %t.180 = sub nsw <8 x i32> %t.179, <i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127>
  %t.181 = sitofp <8 x i32> %t.180 to <8 x float>
  %t.182 = fcmp ogt <8 x float> %x.166, <float 0xBFD28F5C20000000, float 0xBFD28F5C20000000, float 0xBFD28F5C20000000, float 0xBFD28F5C20000000, float 0xBFD28F5C20000000, float 0xBFD28F5C20000000, float 0xBFD28F5C20000000, float 0xBFD28F5C20000000>
  %t.183 = fcmp olt <8 x float> %x.166, <float 0x3FDA3D70A0000000, float 0x3FDA3D70A0000000, float 0x3FDA3D70A0000000, float 0x3FDA3D70A0000000, float 0x3FDA3D70A0000000, float 0x3FDA3D70A0000000, float 0x3FDA3D70A0000000, float 0x3FDA3D70A0000000>
  %t.184 = and <8 x i1> %t.182, %t.183
  %t.185 = and <8 x i32> %t.174, <i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607>
  %t.186 = add nuw <8 x i32> %t.185, <i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283>
  %t.187 = bitcast <8 x i32> %t.186 to <8 x float>
  %t.188 = fsub contract <8 x float> %t.187, <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.189 = select <8 x i1> %t.184, <8 x float> %x.166, <8 x float> %t.188
  %t.190 = fadd contract <8 x float> %t.189, <float 0x4000000000000000, float 0x4000000000000000, float 0x4000000000000000, float 0x4000000000000000, float 0x4000000000000000, float 0x4000000000000000, float 0x4000000000000000, float 0x4000000000000000>
  %t.191 = fdiv <8 x float> %t.189, %t.190
  %t.192 = fmul contract <8 x float> %t.191, %t.191
  %t.193 = fmul contract <8 x float> %t.189, %t.189
  %t.194 = fmul contract <8 x float> %t.193, <float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000>
  %t.195 = fmul contract <8 x float> <float 0x3FC745D180000000, float 0x3FC745D180000000, float 0x3FC745D180000000, float 0x3FC745D180000000, float 0x3FC745D180000000, float 0x3FC745D180000000, float 0x3FC745D180000000, float 0x3FC745D180000000>, %t.192
  %t.196 = fadd contract <8 x float> %t.195, <float 0x3FCC71C720000000, float 0x3FCC71C720000000, float 0x3FCC71C720000000, float 0x3FCC71C720000000, float 0x3FCC71C720000000, float 0x3FCC71C720000000, float 0x3FCC71C720000000, float 0x3FCC71C720000000>
  %t.197 = fmul contract <8 x float> %t.196, %t.192
  %t.198 = fadd contract <8 x float> %t.197, <float 0x3FD24924A0000000, float 0x3FD24924A0000000, float 0x3FD24924A0000000, float 0x3FD24924A0000000, float 0x3FD24924A0000000, float 0x3FD24924A0000000, float 0x3FD24924A0000000, float 0x3FD24924A0000000>
  %t.199 = fmul contract <8 x float> %t.198, %t.192
  %t.200 = fadd contract <8 x float> %t.199, <float 0x3FD99999A0000000, float 0x3FD99999A0000000, float 0x3FD99999A0000000, float 0x3FD99999A0000000, float 0x3FD99999A0000000, float 0x3FD99999A0000000, float 0x3FD99999A0000000, float 0x3FD99999A0000000>
  %t.201 = fmul contract <8 x float> %t.200, %t.192
  %t.202 = fadd contract <8 x float> %t.201, <float 0x3FE5555560000000, float 0x3FE5555560000000, float 0x3FE5555560000000, float 0x3FE5555560000000, float 0x3FE5555560000000, float 0x3FE5555560000000, float 0x3FE5555560000000, float 0x3FE5555560000000>
  %t.203 = fmul contract <8 x float> %t.192, %t.202
  %t.204 = fadd contract <8 x float> %t.194, %t.203
  %t.205 = fmul contract <8 x float> %t.191, %t.204
  %t.206 = fsub contract <8 x float> %t.194, %t.205
  %t.207 = fsub contract <8 x float> %t.189, %t.206
  %t.208 = sext i32 %param1 to i64
  %index.209 = mul i64 %t.208, 2
  %t.210 = sext i32 %workgroup_id.19 to i64
  %index.211 = mul i64 %t.210, 64
  %index.212 = add i64 %index.211, %local_x.35
  %t.213 = trunc i64 %index.209 to i32
  %t.214 = sext i32 %t.213 to i64
  %index.215 = add i64 %t.214, %index.212
  %t.216 = fcmp ogt <8 x float> %t.172, <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.217 = fcmp olt <8 x float> %t.172, <float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000>
  %t.218 = and <8 x i1> %t.216, %t.217
  %t.219 = fmul contract <8 x float> %t.181, <float 0x3FE62E4000000000, float 0x3FE62E4000000000, float 0x3FE62E4000000000, float 0x3FE62E4000000000, float 0x3FE62E4000000000, float 0x3FE62E4000000000, float 0x3FE62E4000000000, float 0x3FE62E4000000000>
  %t.220 = fmul contract <8 x float> %t.181, <float 0x3EB7F7D1C0000000, float 0x3EB7F7D1C0000000, float 0x3EB7F7D1C0000000, float 0x3EB7F7D1C0000000, float 0x3EB7F7D1C0000000, float 0x3EB7F7D1C0000000, float 0x3EB7F7D1C0000000, float 0x3EB7F7D1C0000000>
  %t.221 = fadd contract <8 x float> %t.220, %t.207
  %t.222 = fadd contract <8 x float> %t.219, %t.221
  %t.223 = select <8 x i1> %t.184, <8 x float> %t.207, <8 x float> %t.222
  %t.224 = bitcast <8 x float> %t.172 to <8 x i32>
  %t.225 = sub <8 x i32> %t.224, <i32 8388608, i32 8388608, i32 8388608, i32 8388608, i32 8388608, i32 8388608, i32 8388608, i32 8388608>
  %t.226 = icmp ult <8 x i32> %t.225, <i32 2130706432, i32 2130706432, i32 2130706432, i32 2130706432, i32 2130706432, i32 2130706432, i32 2130706432, i32 2130706432>
  %t.227 = xor <8 x i1> %t.226, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.228 = bitcast <8 x float> %t.172 to <8 x i32>
  %t.229 = sub <8 x i32> %t.228, <i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283>
  %t.230 = and <8 x i32> %t.229, <i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607>
  %t.231 = add <8 x i32> %t.230, <i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283>
  %t.232 = bitcast <8 x i32> %t.231 to <8 x float>
  %t.233 = fsub contract <8 x float> %t.232, <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.234 = bitcast <8 x i32> %t.229 to <8 x i32>
  %t.235 = ashr <8 x i32> %t.234, <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>
  %t.236 = sitofp <8 x i32> %t.235 to <8 x float>
  %t.237 = fmul contract <8 x float> %t.236, <float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000>
  %t.238 = fmul contract <8 x float> %t.233, %t.233
  %t.239 = fmul contract <8 x float> %t.233, <float 0xBFB38B5840000000, float 0xBFB38B5840000000, float 0xBFB38B5840000000, float 0xBFB38B5840000000, float 0xBFB38B5840000000, float 0xBFB38B5840000000, float 0xBFB38B5840000000, float 0xBFB38B5840000000>
  %t.240 = fadd contract <8 x float> %t.239, <float 0x3FC055B720000000, float 0x3FC055B720000000, float 0x3FC055B720000000, float 0x3FC055B720000000, float 0x3FC055B720000000, float 0x3FC055B720000000, float 0x3FC055B720000000, float 0x3FC055B720000000>
  %t.241 = fmul contract <8 x float> %t.240, %t.233
  %t.242 = fadd contract <8 x float> %t.241, <float 0xBFC0D85460000000, float 0xBFC0D85460000000, float 0xBFC0D85460000000, float 0xBFC0D85460000000, float 0xBFC0D85460000000, float 0xBFC0D85460000000, float 0xBFC0D85460000000, float 0xBFC0D85460000000>
  %t.243 = fmul contract <8 x float> %t.242, %t.233
  %t.244 = fadd contract <8 x float> %t.243, <float 0x3FC22DA1E0000000, float 0x3FC22DA1E0000000, float 0x3FC22DA1E0000000, float 0x3FC22DA1E0000000, float 0x3FC22DA1E0000000, float 0x3FC22DA1E0000000, float 0x3FC22DA1E0000000, float 0x3FC22DA1E0000000>
  %t.245 = fmul contract <8 x float> %t.244, %t.233
  %t.246 = fadd contract <8 x float> %t.245, <float 0xBFC5472440000000, float 0xBFC5472440000000, float 0xBFC5472440000000, float 0xBFC5472440000000, float 0xBFC5472440000000, float 0xBFC5472440000000, float 0xBFC5472440000000, float 0xBFC5472440000000>
  %t.247 = fmul contract <8 x float> %t.246, %t.233
  %t.248 = fadd contract <8 x float> %t.247, <float 0x3FC99A0080000000, float 0x3FC99A0080000000, float 0x3FC99A0080000000, float 0x3FC99A0080000000, float 0x3FC99A0080000000, float 0x3FC99A0080000000, float 0x3FC99A0080000000, float 0x3FC99A0080000000>
  %t.249 = fmul contract <8 x float> %t.248, %t.233
  %t.250 = fadd contract <8 x float> %t.249, <float 0xBFD0002260000000, float 0xBFD0002260000000, float 0xBFD0002260000000, float 0xBFD0002260000000, float 0xBFD0002260000000, float 0xBFD0002260000000, float 0xBFD0002260000000, float 0xBFD0002260000000>
  %t.251 = fmul contract <8 x float> %t.250, %t.233
  %t.252 = fadd contract <8 x float> %t.251, <float 0x3FD5555540000000, float 0x3FD5555540000000, float 0x3FD5555540000000, float 0x3FD5555540000000, float 0x3FD5555540000000, float 0x3FD5555540000000, float 0x3FD5555540000000, float 0x3FD5555540000000>
  %t.253 = fmul contract <8 x float> %t.252, %t.233
  %t.254 = fadd contract <8 x float> %t.253, <float 0xBFE0000000000000, float 0xBFE0000000000000, float 0xBFE0000000000000, float 0xBFE0000000000000, float 0xBFE0000000000000, float 0xBFE0000000000000, float 0xBFE0000000000000, float 0xBFE0000000000000>
  %t.255 = fmul contract <8 x float> %t.238, %t.254
  %t.256 = fadd contract <8 x float> %t.237, %t.255
  %t.257 = fadd contract <8 x float> %t.256, %t.233
  %t.258 = fmul contract <8 x float> %t.236, <float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000>
  %t.259 = fadd contract <8 x float> %t.257, %t.258
  %t.260 = bitcast <8 x i1> %t.227 to i8
  %t.263 = icmp ne i8 %t.260, 0
  %t.264 = call i1 @llvm.expect.i1(i1 %t.263, i1 false)
  br i1 %t.264, label %rare.261, label %usual.262
rare.261:
  %t.265 = fcmp olt <8 x float> %t.172, <float 0x3810000000000000, float 0x3810000000000000, float 0x3810000000000000, float 0x3810000000000000, float 0x3810000000000000, float 0x3810000000000000, float 0x3810000000000000, float 0x3810000000000000>
  %t.266 = fmul contract <8 x float> %t.172, <float 0x4160000000000000, float 0x4160000000000000, float 0x4160000000000000, float 0x4160000000000000, float 0x4160000000000000, float 0x4160000000000000, float 0x4160000000000000, float 0x4160000000000000>
  %t.267 = select <8 x i1> %t.265, <8 x float> %t.266, <8 x float> %t.172
  %t.268 = bitcast <8 x float> %t.267 to <8 x i32>
  %t.269 = sub <8 x i32> %t.268, <i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283>
  %t.270 = and <8 x i32> %t.269, <i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607>
  %t.271 = add <8 x i32> %t.270, <i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283>
  %t.272 = bitcast <8 x i32> %t.271 to <8 x float>
  %t.273 = fsub contract <8 x float> %t.272, <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.274 = bitcast <8 x i32> %t.269 to <8 x i32>
  %t.275 = ashr <8 x i32> %t.274, <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>
  %t.276 = sitofp <8 x i32> %t.275 to <8 x float>
  %t.277 = select <8 x i1> %t.265, <8 x float> <float 0x4037000000000000, float 0x4037000000000000, float 0x4037000000000000, float 0x4037000000000000, float 0x4037000000000000, float 0x4037000000000000, float 0x4037000000000000, float 0x4037000000000000>, <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.278 = fsub contract <8 x float> %t.276, %t.277
  %t.279 = fmul contract <8 x float> %t.278, <float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000>
  %t.280 = fmul contract <8 x float> %t.273, %t.273
  %t.281 = fmul contract <8 x float> %t.273, <float 0xBFB38B5840000000, float 0xBFB38B5840000000, float 0xBFB38B5840000000, float 0xBFB38B5840000000, float 0xBFB38B5840000000, float 0xBFB38B5840000000, float 0xBFB38B5840000000, float 0xBFB38B5840000000>
  %t.282 = fadd contract <8 x float> %t.281, <float 0x3FC055B720000000, float 0x3FC055B720000000, float 0x3FC055B720000000, float 0x3FC055B720000000, float 0x3FC055B720000000, float 0x3FC055B720000000, float 0x3FC055B720000000, float 0x3FC055B720000000>
  %t.283 = fmul contract <8 x float> %t.282, %t.273
  %t.284 = fadd contract <8 x float> %t.283, <float 0xBFC0D85460000000, float 0xBFC0D85460000000, float 0xBFC0D85460000000, float 0xBFC0D85460000000, float 0xBFC0D85460000000, float 0xBFC0D85460000000, float 0xBFC0D85460000000, float 0xBFC0D85460000000>
  %t.285 = fmul contract <8 x float> %t.284, %t.273
  %t.286 = fadd contract <8 x float> %t.285, <float 0x3FC22DA1E0000000, float 0x3FC22DA1E0000000, float 0x3FC22DA1E0000000, float 0x3FC22DA1E0000000, float 0x3FC22DA1E0000000, float 0x3FC22DA1E0000000, float 0x3FC22DA1E0000000, float 0x3FC22DA1E0000000>
  %t.287 = fmul contract <8 x float> %t.286, %t.273
  %t.288 = fadd contract <8 x float> %t.287, <float 0xBFC5472440000000, float 0xBFC5472440000000, float 0xBFC5472440000000, float 0xBFC5472440000000, float 0xBFC5472440000000, float 0xBFC5472440000000, float 0xBFC5472440000000, float 0xBFC5472440000000>
  %t.289 = fmul contract <8 x float> %t.288, %t.273
  %t.290 = fadd contract <8 x float> %t.289, <float 0x3FC99A0080000000, float 0x3FC99A0080000000, float 0x3FC99A0080000000, float 0x3FC99A0080000000, float 0x3FC99A0080000000, float 0x3FC99A0080000000, float 0x3FC99A0080000000, float 0x3FC99A0080000000>
  %t.291 = fmul contract <8 x float> %t.290, %t.273
  %t.292 = fadd contract <8 x float> %t.291, <float 0xBFD0002260000000, float 0xBFD0002260000000, float 0xBFD0002260000000, float 0xBFD0002260000000, float 0xBFD0002260000000, float 0xBFD0002260000000, float 0xBFD0002260000000, float 0xBFD0002260000000>
  %t.293 = fmul contract <8 x float> %t.292, %t.273
  %t.294 = fadd contract <8 x float> %t.293, <float 0x3FD5555540000000, float 0x3FD5555540000000, float 0x3FD5555540000000, float 0x3FD5555540000000, float 0x3FD5555540000000, float 0x3FD5555540000000, float 0x3FD5555540000000, float 0x3FD5555540000000>
  %t.295 = fmul contract <8 x float> %t.294, %t.273
  %t.296 = fadd contract <8 x float> %t.295, <float 0xBFE0000000000000, float 0xBFE0000000000000, float 0xBFE0000000000000, float 0xBFE0000000000000, float 0xBFE0000000000000, float 0xBFE0000000000000, float 0xBFE0000000000000, float 0xBFE0000000000000>
  %t.297 = fmul contract <8 x float> %t.280, %t.296
  %t.298 = fadd contract <8 x float> %t.279, %t.297
  %t.299 = fadd contract <8 x float> %t.298, %t.273
  %t.300 = fmul contract <8 x float> %t.278, <float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000>
  %t.301 = fadd contract <8 x float> %t.299, %t.300
  %t.302 = fcmp oeq <8 x float> %t.172, <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.303 = fcmp ogt <8 x float> %t.172, <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.304 = select <8 x i1> %t.303, <8 x float> %t.172, <8 x float> <float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000>
  %t.305 = select <8 x i1> %t.302, <8 x float> <float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000>, <8 x float> %t.304
  %t.306 = fcmp ogt <8 x float> %t.172, <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.307 = fcmp olt <8 x float> %t.172, <float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000>
  %t.308 = and <8 x i1> %t.306, %t.307
  %t.309 = select <8 x i1> %t.308, <8 x float> %t.301, <8 x float> %t.305
  br label %usual.262
usual.262:
  %t.310 = phi <8 x float> [ %t.259, %stored.158 ], [ %t.309, %rare.261 ]
  %t.311 = select <8 x i1> %t.218, <8 x float> %t.223, <8 x float> %t.310
  %t.312 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %x.171)
  %t.313 = fcmp olt <8 x float> %t.312, <float 0x3FE6666660000000, float 0x3FE6666660000000, float 0x3FE6666660000000, float 0x3FE6666660000000, float 0x3FE6666660000000, float 0x3FE6666660000000, float 0x3FE6666660000000, float 0x3FE6666660000000>
  %t.314 = fmul contract <8 x float> <float 0x3E927E4FC0000000, float 0x3E927E4FC0000000, float 0x3E927E4FC0000000, float 0x3E927E4FC0000000, float 0x3E927E4FC0000000, float 0x3E927E4FC0000000, float 0x3E927E4FC0000000, float 0x3E927E4FC0000000>, %x.171
  %t.315 = fadd contract <8 x float> %t.314, <float 0x3EC71DE3A0000000, float 0x3EC71DE3A0000000, float 0x3EC71DE3A0000000, float 0x3EC71DE3A0000000, float 0x3EC71DE3A0000000, float 0x3EC71DE3A0000000, float 0x3EC71DE3A0000000, float 0x3EC71DE3A0000000>
  %t.316 = fmul contract <8 x float> %t.315, %x.171
  %t.317 = fadd contract <8 x float> %t.316, <float 0x3EFA01A020000000, float 0x3EFA01A020000000, float 0x3EFA01A020000000, float 0x3EFA01A020000000, float 0x3EFA01A020000000, float 0x3EFA01A020000000, float 0x3EFA01A020000000, float 0x3EFA01A020000000>
  %t.318 = fmul contract <8 x float> %t.317, %x.171
  %t.319 = fadd contract <8 x float> %t.318, <float 0x3F2A01A020000000, float 0x3F2A01A020000000, float 0x3F2A01A020000000, float 0x3F2A01A020000000, float 0x3F2A01A020000000, float 0x3F2A01A020000000, float 0x3F2A01A020000000, float 0x3F2A01A020000000>
  %t.320 = fmul contract <8 x float> %t.319, %x.171
  %t.321 = fadd contract <8 x float> %t.320, <float 0x3F56C16C20000000, float 0x3F56C16C20000000, float 0x3F56C16C20000000, float 0x3F56C16C20000000, float 0x3F56C16C20000000, float 0x3F56C16C20000000, float 0x3F56C16C20000000, float 0x3F56C16C20000000>
  %t.322 = fmul contract <8 x float> %t.321, %x.171
  %t.323 = fadd contract <8 x float> %t.322, <float 0x3F81111120000000, float 0x3F81111120000000, float 0x3F81111120000000, float 0x3F81111120000000, float 0x3F81111120000000, float 0x3F81111120000000, float 0x3F81111120000000, float 0x3F81111120000000>
  %t.324 = fmul contract <8 x float> %t.323, %x.171
  %t.325 = fadd contract <8 x float> %t.324, <float 0x3FA5555560000000, float 0x3FA5555560000000, float 0x3FA5555560000000, float 0x3FA5555560000000, float 0x3FA5555560000000, float 0x3FA5555560000000, float 0x3FA5555560000000, float 0x3FA5555560000000>
  %t.326 = fmul contract <8 x float> %t.325, %x.171
  %t.327 = fadd contract <8 x float> %t.326, <float 0x3FC5555560000000, float 0x3FC5555560000000, float 0x3FC5555560000000, float 0x3FC5555560000000, float 0x3FC5555560000000, float 0x3FC5555560000000, float 0x3FC5555560000000, float 0x3FC5555560000000>
  %t.328 = fmul contract <8 x float> %t.327, %x.171
  %t.329 = fadd contract <8 x float> %t.328, <float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000>
  %t.330 = fmul contract <8 x float> %t.329, %x.171
  %t.331 = fadd contract <8 x float> %t.330, <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.332 = fmul contract <8 x float> %x.171, %t.331
  %t.333 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %x.171)
  %t.334 = fcmp olt <8 x float> %t.333, <float 0x4055C00000000000, float 0x4055C00000000000, float 0x4055C00000000000, float 0x4055C00000000000, float 0x4055C00000000000, float 0x4055C00000000000, float 0x4055C00000000000, float 0x4055C00000000000>
  %t.335 = xor <8 x i1> %t.334, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.336 = fmul contract <8 x float> %x.171, <float 0x3FF7154760000000, float 0x3FF7154760000000, float 0x3FF7154760000000, float 0x3FF7154760000000, float 0x3FF7154760000000, float 0x3FF7154760000000, float 0x3FF7154760000000, float 0x3FF7154760000000>
  %t.337 = fadd contract <8 x float> %t.336, <float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000>
  %t.338 = fsub contract <8 x float> %t.337, <float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000>
  %t.339 = fmul contract <8 x float> %t.338, <float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000>
  %t.340 = fsub contract <8 x float> %x.171, %t.339
  %t.341 = fmul contract <8 x float> %t.338, <float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000>
  %t.342 = fsub contract <8 x float> %t.340, %t.341
  %t.343 = fmul contract <8 x float> %t.342, %t.342
  %t.344 = fmul contract <8 x float> %t.342, <float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000>
  %t.345 = fadd contract <8 x float> %t.344, <float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000>
  %t.346 = fmul contract <8 x float> %t.345, %t.342
  %t.347 = fadd contract <8 x float> %t.346, <float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000>
  %t.348 = fmul contract <8 x float> %t.347, %t.342
  %t.349 = fadd contract <8 x float> %t.348, <float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000>
  %t.350 = fmul contract <8 x float> %t.349, %t.342
  %t.351 = fadd contract <8 x float> %t.350, <float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000>
  %t.352 = fmul contract <8 x float> %t.343, %t.351
  %t.353 = fadd contract <8 x float> %t.352, %t.342
  %t.354 = fadd contract <8 x float> %t.353, <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.355 = bitcast <8 x float> %t.337 to <8 x i32>
  %t.356 = add <8 x i32> %t.355, <i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127>
  %t.357 = shl <8 x i32> %t.356, <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>
  %t.358 = bitcast <8 x i32> %t.357 to <8 x float>
  %t.359 = fmul contract <8 x float> %t.354, %t.358
  %t.360 = bitcast <8 x i1> %t.335 to i8
  %t.363 = icmp ne i8 %t.360, 0
  %t.364 = call i1 @llvm.expect.i1(i1 %t.363, i1 false)
  br i1 %t.364, label %rare.361, label %usual.362
rare.361:
  %t.365 = fcmp olt <8 x float> <float 0x4059000000000000, float 0x4059000000000000, float 0x4059000000000000, float 0x4059000000000000, float 0x4059000000000000, float 0x4059000000000000, float 0x4059000000000000, float 0x4059000000000000>, %x.171
  %t.366 = select <8 x i1> %t.365, <8 x float> <float 0x4059000000000000, float 0x4059000000000000, float 0x4059000000000000, float 0x4059000000000000, float 0x4059000000000000, float 0x4059000000000000, float 0x4059000000000000, float 0x4059000000000000>, <8 x float> %x.171
  %t.367 = fcmp ogt <8 x float> <float 0xC05A000000000000, float 0xC05A000000000000, float 0xC05A000000000000, float 0xC05A000000000000, float 0xC05A000000000000, float 0xC05A000000000000, float 0xC05A000000000000, float 0xC05A000000000000>, %t.366
  %t.368 = select <8 x i1> %t.367, <8 x float> <float 0xC05A000000000000, float 0xC05A000000000000, float 0xC05A000000000000, float 0xC05A000000000000, float 0xC05A000000000000, float 0xC05A000000000000, float 0xC05A000000000000, float 0xC05A000000000000>, <8 x float> %t.366
  %t.369 = fmul contract <8 x float> %t.368, <float 0x3FF7154760000000, float 0x3FF7154760000000, float 0x3FF7154760000000, float 0x3FF7154760000000, float 0x3FF7154760000000, float 0x3FF7154760000000, float 0x3FF7154760000000, float 0x3FF7154760000000>
  %t.370 = fadd contract <8 x float> %t.369, <float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000>
  %t.371 = fsub contract <8 x float> %t.370, <float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000>
  %t.372 = fmul contract <8 x float> %t.371, <float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000>
  %t.373 = fsub contract <8 x float> %t.368, %t.372
  %t.374 = fmul contract <8 x float> %t.371, <float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000>
  %t.375 = fsub contract <8 x float> %t.373, %t.374
  %t.376 = fmul contract <8 x float> %t.375, %t.375
  %t.377 = fmul contract <8 x float> %t.375, <float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000>
  %t.378 = fadd contract <8 x float> %t.377, <float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000>
  %t.379 = fmul contract <8 x float> %t.378, %t.375
  %t.380 = fadd contract <8 x float> %t.379, <float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000>
  %t.381 = fmul contract <8 x float> %t.380, %t.375
  %t.382 = fadd contract <8 x float> %t.381, <float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000>
  %t.383 = fmul contract <8 x float> %t.382, %t.375
  %t.384 = fadd contract <8 x float> %t.383, <float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000>
  %t.385 = fmul contract <8 x float> %t.376, %t.384
  %t.386 = fadd contract <8 x float> %t.385, %t.375
  %t.387 = fadd contract <8 x float> %t.386, <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.388 = bitcast <8 x float> %t.370 to <8 x i32>
  %t.389 = sub <8 x i32> %t.388, <i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248>
  %t.390 = lshr <8 x i32> %t.389, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.391 = sub <8 x i32> %t.389, %t.390
  %t.392 = sub <8 x i32> %t.390, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.393 = shl <8 x i32> %t.392, <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>
  %t.394 = bitcast <8 x i32> %t.393 to <8 x float>
  %t.395 = sub <8 x i32> %t.391, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.396 = shl <8 x i32> %t.395, <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>
  %t.397 = bitcast <8 x i32> %t.396 to <8 x float>
  %t.398 = fmul contract <8 x float> %t.387, %t.394
  %t.399 = fmul contract <8 x float> %t.398, %t.397
  br label %usual.362
usual.362:
  %t.400 = phi <8 x float> [ %t.359, %usual.262 ], [ %t.399, %rare.361 ]
  %t.401 = fsub contract <8 x float> %t.400, <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.402 = select <8 x i1> %t.313, <8 x float> %t.332, <8 x float> %t.401
  %t.403 = fadd contract <8 x float> %t.311, %t.402
  %place.404 = getelementptr inbounds float, ptr %buffer2, i64 %index.215
  %t.408 = ptrtoint ptr %place.404 to i64
  %t.409 = and i64 %t.408, 31
  %t.410 = icmp eq i64 %t.409, -1 ; 0 to stream
  br i1 %t.410, label %aligned.405, label %shifted.406
aligned.405:
  store <8 x float> %t.403, ptr %place.404, align 32 ; may stream
  br label %stored.407
shifted.406:
  store <8 x float> %t.403, ptr %place.404, align 4
  br label %stored.407
stored.407:
  %t.411 = sext i32 %workgroup_id.19 to i64
  %index.412 = mul i64 %t.411, 64
  %index.413 = add i64 %index.412, %local_x.35
  %place.414 = getelementptr inbounds i32, ptr %buffer1, i64 %index.413
  %words.415 = load <8 x i32>, ptr %place.414, align 4
  %t.416 = sext i32 %workgroup_id.19 to i64
  %index.417 = mul i64 %t.416, 64
  %index.418 = add i64 %index.417, %local_x.35
  %t.419 = zext <8 x i32> %words.415 to <8 x i64>
  %t.420 = zext <8 x i32> <i32 10, i32 10, i32 10, i32 10, i32 10, i32 10, i32 10, i32 10> to <8 x i64>
  %t.421 = mul <8 x i64> %t.419, %t.420
  %t.422 = lshr <8 x i64> %t.421, <i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32>
  %t.423 = trunc <8 x i64> %t.422 to <8 x i32>
  %place.424 = getelementptr inbounds i32, ptr %buffer3, i64 %index.418
  store <8 x i32> %t.423, ptr %place.424, align 32 ; may stream
  %t.425 = sext i32 %workgroup_id.19 to i64
  %index.426 = mul i64 %t.425, 64
  %index.427 = add i64 %index.426, %local_x.35
  %place.428 = getelementptr inbounds i32, ptr %buffer1, i64 %index.427
  %words.429 = load <8 x i32>, ptr %place.428, align 4
  %t.430 = sext i32 %workgroup_id.19 to i64
  %index.431 = mul i64 %t.430, 64
  %index.432 = add i64 %index.431, %local_x.35
  %t.433 = sext i32 %param2 to i64
  %t.434 = sext i32 %param2 to i64
  %index.435 = add i64 %t.434, %index.47
  %t.436 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %words.429, <8 x i32> %words.429, <8 x i32> %t.44)
  %place.437 = getelementptr inbounds i32, ptr %buffer3, i64 %index.435
  %t.441 = ptrtoint ptr %place.437 to i64
  %t.442 = and i64 %t.441, 31
  %t.443 = icmp eq i64 %t.442, -1 ; 0 to stream
  br i1 %t.443, label %aligned.438, label %shifted.439
aligned.438:
  store <8 x i32> %t.436, ptr %place.437, align 32 ; may stream
  br label %stored.440
shifted.439:
  store <8 x i32> %t.436, ptr %place.437, align 4
  br label %stored.440
stored.440:
  %t.444 = sext i32 %workgroup_id.19 to i64
  %index.445 = mul i64 %t.444, 64
  %index.446 = add i64 %index.445, %local_x.35
  %place.447 = getelementptr inbounds i32, ptr %buffer1, i64 %index.446
  %words.448 = load <8 x i32>, ptr %place.447, align 4
  %place.449 = getelementptr inbounds i32, ptr %buffer1, i64 0
  %words.450 = load i32, ptr %place.449, align 4
  %t.451 = sext i32 %param2 to i64
  %index.452 = mul i64 %t.451, 2
  %t.453 = sext i32 %workgroup_id.19 to i64
  %index.454 = mul i64 %t.453, 64
  %index.455 = add i64 %index.454, %local_x.35
  %t.456 = trunc i64 %index.452 to i32
  %t.457 = sext i32 %t.456 to i64
  %index.458 = add i64 %t.457, %index.455
  %t.459 = and <8 x i32> %words.448, <i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255>
  %t.460 = and i32 %words.450, 255
  %t.461 = insertelement <8 x i32> poison, i32 %t.460, i32 0
  %t.462 = shufflevector <8 x i32> %t.461, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.463 = mul nuw <8 x i32> %t.459, %t.462
  %t.464 = and <8 x i32> <i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8>, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.465 = lshr <8 x i32> %words.448, %t.464
  %t.466 = and <8 x i32> %t.465, <i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255>
  %t.467 = and i32 8, 31
  %t.468 = lshr i32 %words.450, %t.467
  %t.469 = and i32 %t.468, 255
  %t.470 = insertelement <8 x i32> poison, i32 %t.469, i32 0
  %t.471 = shufflevector <8 x i32> %t.470, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.472 = mul nuw <8 x i32> %t.466, %t.471
  %t.473 = add nuw <8 x i32> %t.463, %t.472
  %t.474 = and <8 x i32> <i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16>, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.475 = lshr <8 x i32> %words.448, %t.474
  %t.476 = and <8 x i32> %t.475, <i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255>
  %t.477 = and i32 16, 31
  %t.478 = lshr i32 %words.450, %t.477
  %t.479 = and i32 %t.478, 255
  %t.480 = insertelement <8 x i32> poison, i32 %t.479, i32 0
  %t.481 = shufflevector <8 x i32> %t.480, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.482 = mul nuw <8 x i32> %t.476, %t.481
  %t.483 = add nuw <8 x i32> %t.473, %t.482
  %t.484 = and <8 x i32> <i32 24, i32 24, i32 24, i32 24, i32 24, i32 24, i32 24, i32 24>, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.485 = lshr <8 x i32> %words.448, %t.484
  %t.486 = and <8 x i32> %t.485, <i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255>
  %t.487 = and i32 24, 31
  %t.488 = lshr i32 %words.450, %t.487
  %t.489 = and i32 %t.488, 255
  %t.490 = insertelement <8 x i32> poison, i32 %t.489, i32 0
  %t.491 = shufflevector <8 x i32> %t.490, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.492 = mul nuw <8 x i32> %t.486, %t.491
  %t.493 = add nuw <8 x i32> %t.483, %t.492
  %place.494 = getelementptr inbounds i32, ptr %buffer3, i64 %index.458
  %t.498 = ptrtoint ptr %place.494 to i64
  %t.499 = and i64 %t.498, 31
  %t.500 = icmp eq i64 %t.499, -1 ; 0 to stream
  br i1 %t.500, label %aligned.495, label %shifted.496
aligned.495:
  store <8 x i32> %t.493, ptr %place.494, align 32 ; may stream
  br label %stored.497
shifted.496:
  store <8 x i32> %t.493, ptr %place.494, align 4
  br label %stored.497
stored.497:
  %t.501 = sext i32 %workgroup_id.19 to i64
  %index.502 = mul i64 %t.501, 64
  %index.503 = add i64 %index.502, %local_x.35
  %place.504 = getelementptr inbounds i32, ptr %buffer1, i64 %index.503
  %words.505 = load <8 x i32>, ptr %place.504, align 4
  %place.506 = getelementptr inbounds i32, ptr %buffer1, i64 0
  %words.507 = load i32, ptr %place.506, align 4
  %t.508 = sext i32 %param2 to i64
  %index.509 = mul i64 %t.508, 3
  %t.510 = sext i32 %workgroup_id.19 to i64
  %index.511 = mul i64 %t.510, 64
  %index.512 = add i64 %index.511, %local_x.35
  %t.513 = trunc i64 %index.509 to i32
  %t.514 = sext i32 %t.513 to i64
  %index.515 = add i64 %t.514, %index.512
  %t.516 = and <8 x i32> <i32 24, i32 24, i32 24, i32 24, i32 24, i32 24, i32 24, i32 24>, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.517 = shl <8 x i32> %words.505, %t.516
  %t.518 = and <8 x i32> <i32 24, i32 24, i32 24, i32 24, i32 24, i32 24, i32 24, i32 24>, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.519 = ashr <8 x i32> %t.517, %t.518
  %t.520 = and i32 24, 31
  %t.521 = shl i32 %words.507, %t.520
  %t.522 = and i32 24, 31
  %t.523 = ashr i32 %t.521, %t.522
  %t.524 = insertelement <8 x i32> poison, i32 %t.523, i32 0
  %t.525 = shufflevector <8 x i32> %t.524, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.526 = mul nsw <8 x i32> %t.519, %t.525
  %t.527 = and <8 x i32> <i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16>, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.528 = shl <8 x i32> %words.505, %t.527
  %t.529 = and <8 x i32> <i32 24, i32 24, i32 24, i32 24, i32 24, i32 24, i32 24, i32 24>, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.530 = ashr <8 x i32> %t.528, %t.529
  %t.531 = and i32 16, 31
  %t.532 = shl i32 %words.507, %t.531
  %t.533 = and i32 24, 31
  %t.534 = ashr i32 %t.532, %t.533
  %t.535 = insertelement <8 x i32> poison, i32 %t.534, i32 0
  %t.536 = shufflevector <8 x i32> %t.535, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.537 = mul nsw <8 x i32> %t.530, %t.536
  %t.538 = add nsw <8 x i32> %t.526, %t.537
  %t.539 = and <8 x i32> <i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8>, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.540 = shl <8 x i32> %words.505, %t.539
  %t.541 = and <8 x i32> <i32 24, i32 24, i32 24, i32 24, i32 24, i32 24, i32 24, i32 24>, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.542 = ashr <8 x i32> %t.540, %t.541
  %t.543 = and i32 8, 31
  %t.544 = shl i32 %words.507, %t.543
  %t.545 = and i32 24, 31
  %t.546 = ashr i32 %t.544, %t.545
  %t.547 = insertelement <8 x i32> poison, i32 %t.546, i32 0
  %t.548 = shufflevector <8 x i32> %t.547, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.549 = mul nsw <8 x i32> %t.542, %t.548
  %t.550 = add nsw <8 x i32> %t.538, %t.549
  %t.551 = and <8 x i32> <i32 24, i32 24, i32 24, i32 24, i32 24, i32 24, i32 24, i32 24>, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.552 = ashr <8 x i32> %words.505, %t.551
  %t.553 = and i32 24, 31
  %t.554 = ashr i32 %words.507, %t.553
  %t.555 = insertelement <8 x i32> poison, i32 %t.554, i32 0
  %t.556 = shufflevector <8 x i32> %t.555, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.557 = mul nsw <8 x i32> %t.552, %t.556
  %t.558 = add nsw <8 x i32> %t.550, %t.557
  %place.559 = getelementptr inbounds i32, ptr %buffer3, i64 %index.515
  %t.563 = ptrtoint ptr %place.559 to i64
  %t.564 = and i64 %t.563, 31
  %t.565 = icmp eq i64 %t.564, -1 ; 0 to stream
  br i1 %t.565, label %aligned.560, label %shifted.561
aligned.560:
  store <8 x i32> %t.558, ptr %place.559, align 32 ; may stream
  br label %stored.562
shifted.561:
  store <8 x i32> %t.558, ptr %place.559, align 4
  br label %stored.562
stored.562:
  br label %local_x_next.33
local_x_next.33:
  %local_x.35.next = add nsw i64 %local_x.35, 8
  br label %local_x_head.31
local_x_end.34:
  %t.568 = icmp sgt i64 %t.30, 0
  br i1 %t.568, label %last_gang.567, label %row_end.566
last_gang.567:
  %t.569 = insertelement <8 x i64> poison, i64 %t.30, i32 0
  %t.570 = shufflevector <8 x i64> %t.569, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask.571 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %t.570
  %t.572 = mul nsw i32 %workgroup_id.19, 64
  %local_id.573 = trunc i64 %t.29 to i32
  %t.574 = insertelement <8 x i32> poison, i32 %local_id.573, i32 0
  %t.575 = shufflevector <8 x i32> %t.574, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.576 = add nsw <8 x i32> %t.575, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.577 = insertelement <8 x i32> poison, i32 %t.572, i32 0
  %t.578 = shufflevector <8 x i32> %t.577, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.579 = add nsw <8 x i32> %t.578, %t.576
  %t.580 = sext i32 %workgroup_id.19 to i64
  %index.581 = mul i64 %t.580, 64
  %index.582 = add i64 %index.581, %t.29
  %t.583 = sext i32 %workgroup_id.19 to i64
  %index.584 = mul i64 %t.583, 64
  %index.585 = add i64 %index.584, %t.29
  %place.586 = getelementptr float, ptr %buffer0, i64 %index.585
  %x.587 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %place.586, i32 4, <8 x i1> %mask.571, <8 x float> poison)
  %t.588 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %x.587)
  %t.589 = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %t.588, <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>)
  %t.590 = fcmp ogt <8 x float> %t.589, <float 0x43B0000000000000, float 0x43B0000000000000, float 0x43B0000000000000, float 0x43B0000000000000, float 0x43B0000000000000, float 0x43B0000000000000, float 0x43B0000000000000, float 0x43B0000000000000>
  %t.591 = select <8 x i1> %t.590, <8 x float> <float 0x3B90000000000000, float 0x3B90000000000000, float 0x3B90000000000000, float 0x3B90000000000000, float 0x3B90000000000000, float 0x3B90000000000000, float 0x3B90000000000000, float 0x3B90000000000000>, <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.592 = fmul contract <8 x float> %t.588, %t.591
  %t.593 = sext i32 %workgroup_id.19 to i64
  %index.594 = mul i64 %t.593, 64
  %index.595 = add i64 %index.594, %t.29
  %t.596 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %x.587)
  %t.597 = fcmp oeq <8 x float> %t.596, <float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000>
  %t.598 = fmul contract <8 x float> %t.592, %t.592
  %t.599 = fmul contract <8 x float> %t.591, %t.591
  %t.600 = fadd contract <8 x float> %t.598, %t.599
  %t.601 = call <8 x float> @llvm.sqrt.v8f32(<8 x float> %t.600)
  %t.602 = select <8 x i1> %t.590, <8 x float> <float 0x4450000000000000, float 0x4450000000000000, float 0x4450000000000000, float 0x4450000000000000, float 0x4450000000000000, float 0x4450000000000000, float 0x4450000000000000, float 0x4450000000000000>, <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.603 = fmul contract <8 x float> %t.601, %t.602
  %t.604 = select <8 x i1> %t.597, <8 x float> <float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000>, <8 x float> %t.603
  %place.605 = getelementptr float, ptr %buffer2, i64 %index.595
  call void @llvm.masked.store.v8f32.p0(<8 x float> %t.604, ptr %place.605, i32 4, <8 x i1> %mask.571)
  %t.606 = sext i32 %workgroup_id.19 to i64
  %index.607 = mul i64 %t.606, 64
  %index.608 = add i64 %index.607, %t.29
  %place.609 = getelementptr float, ptr %buffer0, i64 %index.608
  %x.610 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %place.609, i32 4, <8 x i1> %mask.571, <8 x float> poison)
  %t.611 = sext i32 %workgroup_id.19 to i64
  %index.612 = mul i64 %t.611, 64
  %index.613 = add i64 %index.612, %t.29
  %place.614 = getelementptr float, ptr %buffer0, i64 %index.613
  %x.615 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %place.614, i32 4, <8 x i1> %mask.571, <8 x float> poison)
  %t.616 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %t.579, <8 x i32> <i32 -378, i32 -378, i32 -378, i32 -378, i32 -378, i32 -378, i32 -378, i32 -378>)
  %t.617 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.616, <8 x i32> <i32 381, i32 381, i32 381, i32 381, i32 381, i32 381, i32 381, i32 381>)
  %t.618 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %t.579, <8 x i32> <i32 -378, i32 -378, i32 -378, i32 -378, i32 -378, i32 -378, i32 -378, i32 -378>)
  %t.619 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.618, <8 x i32> <i32 381, i32 381, i32 381, i32 381, i32 381, i32 381, i32 381, i32 381>)
  %t.620 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %t.617, <8 x i32> <i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126>)
  %t.621 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.620, <8 x i32> <i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127>)
  %t.622 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %t.617, <8 x i32> <i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126>)
  %t.623 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.622, <8 x i32> <i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127>)
  %t.624 = sub nsw <8 x i32> %t.617, %t.621
  %t.625 = sub nsw <8 x i32> %t.617, %t.621
  %t.626 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %t.624, <8 x i32> <i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126>)
  %t.627 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.626, <8 x i32> <i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127>)
  %t.628 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %t.624, <8 x i32> <i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126>)
  %t.629 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.628, <8 x i32> <i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127>)
  %t.630 = sub nsw <8 x i32> %t.624, %t.627
  %t.631 = sub nsw <8 x i32> %t.624, %t.627
  %t.632 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %t.630, <8 x i32> <i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126>)
  %t.633 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.632, <8 x i32> <i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127>)
  %t.634 = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %t.630, <8 x i32> <i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126, i32 -126>)
  %t.635 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.634, <8 x i32> <i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127>)
  %t.636 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %x.615)
  %t.637 = fcmp olt <8 x float> %t.636, <float 0x39B0000000000000, float 0x39B0000000000000, float 0x39B0000000000000, float 0x39B0000000000000, float 0x39B0000000000000, float 0x39B0000000000000, float 0x39B0000000000000, float 0x39B0000000000000>
  %t.638 = fmul contract <8 x float> %t.636, <float 0x4170000000000000, float 0x4170000000000000, float 0x4170000000000000, float 0x4170000000000000, float 0x4170000000000000, float 0x4170000000000000, float 0x4170000000000000, float 0x4170000000000000>
  %t.639 = select <8 x i1> %t.637, <8 x float> %t.638, <8 x float> %t.636
  %t.640 = bitcast <8 x float> %t.639 to <8 x i32>
  %t.641 = udiv <8 x i32> %t.640, <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.642 = add nuw <8 x i32> %t.641, <i32 709958653, i32 709958653, i32 709958653, i32 709958653, i32 709958653, i32 709958653, i32 709958653, i32 709958653>
  %t.643 = bitcast <8 x i32> %t.642 to <8 x float>
  %t.644 = fmul contract <8 x float> %t.643, %t.643
  %t.645 = fdiv <8 x float> %t.639, %t.644
  %t.646 = fsub contract <8 x float> %t.645, %t.643
  %t.647 = fmul contract <8 x float> %t.646, <float 0x3FD5555560000000, float 0x3FD5555560000000, float 0x3FD5555560000000, float 0x3FD5555560000000, float 0x3FD5555560000000, float 0x3FD5555560000000, float 0x3FD5555560000000, float 0x3FD5555560000000>
  %t.648 = fadd contract <8 x float> %t.643, %t.647
  %t.649 = fmul contract <8 x float> %t.648, %t.648
  %t.650 = fdiv <8 x float> %t.639, %t.649
  %t.651 = fsub contract <8 x float> %t.650, %t.648
  %t.652 = fmul contract <8 x float> %t.651, <float 0x3FD5555560000000, float 0x3FD5555560000000, float 0x3FD5555560000000, float 0x3FD5555560000000, float 0x3FD5555560000000, float 0x3FD5555560000000, float 0x3FD5555560000000, float 0x3FD5555560000000>
  %t.653 = fadd contract <8 x float> %t.648, %t.652
  %t.654 = fmul contract <8 x float> %t.653, %t.653
  %t.655 = fdiv <8 x float> %t.639, %t.654
  %t.656 = fsub contract <8 x float> %t.655, %t.653
  %t.657 = fmul contract <8 x float> %t.656, <float 0x3FD5555560000000, float 0x3FD5555560000000, float 0x3FD5555560000000, float 0x3FD5555560000000, float 0x3FD5555560000000, float 0x3FD5555560000000, float 0x3FD5555560000000, float 0x3FD5555560000000>
  %t.658 = fadd contract <8 x float> %t.653, %t.657
  %t.659 = fmul contract <8 x float> %t.658, <float 0x3F70000000000000, float 0x3F70000000000000, float 0x3F70000000000000, float 0x3F70000000000000, float 0x3F70000000000000, float 0x3F70000000000000, float 0x3F70000000000000, float 0x3F70000000000000>
  %t.660 = select <8 x i1> %t.637, <8 x float> %t.659, <8 x float> %t.658
  %t.661 = sext i32 %workgroup_id.19 to i64
  %index.662 = mul i64 %t.661, 64
  %index.663 = add i64 %index.662, %t.29
  %t.664 = sext i32 %param1 to i64
  %t.665 = sext i32 %param1 to i64
  %index.666 = add i64 %t.665, %index.582
  %t.667 = add nsw <8 x i32> %t.633, <i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127>
  %t.668 = and <8 x i32> <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.669 = shl <8 x i32> %t.667, %t.668
  %t.670 = bitcast <8 x i32> %t.669 to <8 x float>
  %t.671 = fmul contract <8 x float> %x.610, %t.670
  %t.672 = add nsw <8 x i32> %t.627, <i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127>
  %t.673 = and <8 x i32> <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.674 = shl <8 x i32> %t.672, %t.673
  %t.675 = bitcast <8 x i32> %t.674 to <8 x float>
  %t.676 = fmul contract <8 x float> %t.671, %t.675
  %t.677 = add nsw <8 x i32> %t.621, <i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127>
  %t.678 = and <8 x i32> <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.679 = shl <8 x i32> %t.677, %t.678
  %t.680 = bitcast <8 x i32> %t.679 to <8 x float>
  %t.681 = fmul contract <8 x float> %t.676, %t.680
  %t.682 = fcmp ogt <8 x float> %t.636, <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.683 = fcmp olt <8 x float> %t.636, <float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000>
  %t.684 = and <8 x i1> %t.682, %t.683
  %t.685 = fcmp olt <8 x float> %x.615, <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.686 = fneg <8 x float> %t.660
  %t.687 = select <8 x i1> %t.685, <8 x float> %t.686, <8 x float> %t.660
  %t.688 = select <8 x i1> %t.684, <8 x float> %t.687, <8 x float> %x.615
  %t.689 = call <8 x float> @llvm.copysign.v8f32(<8 x float> %t.681, <8 x float> %t.688)
  %place.690 = getelementptr float, ptr %buffer2, i64 %index.666
  call void @llvm.masked.store.v8f32.p0(<8 x float> %t.689, ptr %place.690, i32 4, <8 x i1> %mask.571)
  %t.691 = sext i32 %workgroup_id.19 to i64
  %index.692 = mul i64 %t.691, 64
  %index.693 = add i64 %index.692, %t.29
  %place.694 = getelementptr float, ptr %buffer0, i64 %index.693
  %x.695 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %place.694, i32 4, <8 x i1> %mask.571, <8 x float> poison)
  %t.696 = sext i32 %workgroup_id.19 to i64
  %index.697 = mul i64 %t.696, 64
  %index.698 = add i64 %index.697, %t.29
  %place.699 = getelementptr float, ptr %buffer0, i64 %index.698
  %x.700 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %place.699, i32 4, <8 x i1> %mask.571, <8 x float> poison)
  %t.701 = fadd contract <8 x float> %x.695, <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.702 = bitcast <8 x float> %t.701 to <8 x i32>
  %t.703 = add <8 x i32> %t.702, <i32 4913933, i32 4913933, i32 4913933, i32 4913933, i32 4913933, i32 4913933, i32 4913933, i32 4913933>
  %t.704 = bitcast <8 x float> %t.701 to <8 x i32>
  %t.705 = bitcast <8 x float> %t.701 to <8 x i32>
  %t.706 = add <8 x i32> %t.705, <i32 4913933, i32 4913933, i32 4913933, i32 4913933, i32 4913933, i32 4913933, i32 4913933, i32 4913933>
  %t.707 = and <8 x i32> <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.708 = lshr <8 x i32> %t.703, %t.707
  %t.709 = sub nsw <8 x i32> %t.708, <i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127>
  %t.710 = sitofp <8 x i32> %t.709 to <8 x float>
  %t.711 = fcmp ogt <8 x float> %x.695, <float 0xBFD28F5C20000000, float 0xBFD28F5C20000000, float 0xBFD28F5C20000000, float 0xBFD28F5C20000000, float 0xBFD28F5C20000000, float 0xBFD28F5C20000000, float 0xBFD28F5C20000000, float 0xBFD28F5C20000000>
  %t.712 = fcmp olt <8 x float> %x.695, <float 0x3FDA3D70A0000000, float 0x3FDA3D70A0000000, float 0x3FDA3D70A0000000, float 0x3FDA3D70A0000000, float 0x3FDA3D70A0000000, float 0x3FDA3D70A0000000, float 0x3FDA3D70A0000000, float 0x3FDA3D70A0000000>
  %t.713 = and <8 x i1> %t.711, %t.712
  %t.714 = and <8 x i32> %t.703, <i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607>
  %t.715 = add nuw <8 x i32> %t.714, <i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283>
  %t.716 = bitcast <8 x i32> %t.715 to <8 x float>
  %t.717 = fsub contract <8 x float> %t.716, <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.718 = select <8 x i1> %t.713, <8 x float> %x.695, <8 x float> %t.717
  %t.719 = fadd contract <8 x float> %t.718, <float 0x4000000000000000, float 0x4000000000000000, float 0x4000000000000000, float 0x4000000000000000, float 0x4000000000000000, float 0x4000000000000000, float 0x4000000000000000, float 0x4000000000000000>
  %t.720 = fdiv <8 x float> %t.718, %t.719
  %t.721 = fmul contract <8 x float> %t.720, %t.720
  %t.722 = fmul contract <8 x float> %t.718, %t.718
  %t.723 = fmul contract <8 x float> %t.722, <float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000>
  %t.724 = fmul contract <8 x float> <float 0x3FC745D180000000, float 0x3FC745D180000000, float 0x3FC745D180000000, float 0x3FC745D180000000, float 0x3FC745D180000000, float 0x3FC745D180000000, float 0x3FC745D180000000, float 0x3FC745D180000000>, %t.721
  %t.725 = fadd contract <8 x float> %t.724, <float 0x3FCC71C720000000, float 0x3FCC71C720000000, float 0x3FCC71C720000000, float 0x3FCC71C720000000, float 0x3FCC71C720000000, float 0x3FCC71C720000000, float 0x3FCC71C720000000, float 0x3FCC71C720000000>
  %t.726 = fmul contract <8 x float> %t.725, %t.721
  %t.727 = fadd contract <8 x float> %t.726, <float 0x3FD24924A0000000, float 0x3FD24924A0000000, float 0x3FD24924A0000000, float 0x3FD24924A0000000, float 0x3FD24924A0000000, float 0x3FD24924A0000000, float 0x3FD24924A0000000, float 0x3FD24924A0000000>
  %t.728 = fmul contract <8 x float> %t.727, %t.721
  %t.729 = fadd contract <8 x float> %t.728, <float 0x3FD99999A0000000, float 0x3FD99999A0000000, float 0x3FD99999A0000000, float 0x3FD99999A0000000, float 0x3FD99999A0000000, float 0x3FD99999A0000000, float 0x3FD99999A0000000, float 0x3FD99999A0000000>
  %t.730 = fmul contract <8 x float> %t.729, %t.721
  %t.731 = fadd contract <8 x float> %t.730, <float 0x3FE5555560000000, float 0x3FE5555560000000, float 0x3FE5555560000000, float 0x3FE5555560000000, float 0x3FE5555560000000, float 0x3FE5555560000000, float 0x3FE5555560000000, float 0x3FE5555560000000>
  %t.732 = fmul contract <8 x float> %t.721, %t.731
  %t.733 = fadd contract <8 x float> %t.723, %t.732
  %t.734 = fmul contract <8 x float> %t.720, %t.733
  %t.735 = fsub contract <8 x float> %t.723, %t.734
  %t.736 = fsub contract <8 x float> %t.718, %t.735
  %t.737 = sext i32 %param1 to i64
  %index.738 = mul i64 %t.737, 2
  %t.739 = sext i32 %workgroup_id.19 to i64
  %index.740 = mul i64 %t.739, 64
  %index.741 = add i64 %index.740, %t.29
  %t.742 = trunc i64 %index.738 to i32
  %t.743 = sext i32 %t.742 to i64
  %index.744 = add i64 %t.743, %index.741
  %t.745 = fcmp ogt <8 x float> %t.701, <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.746 = fcmp olt <8 x float> %t.701, <float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000>
  %t.747 = and <8 x i1> %t.745, %t.746
  %t.748 = fmul contract <8 x float> %t.710, <float 0x3FE62E4000000000, float 0x3FE62E4000000000, float 0x3FE62E4000000000, float 0x3FE62E4000000000, float 0x3FE62E4000000000, float 0x3FE62E4000000000, float 0x3FE62E4000000000, float 0x3FE62E4000000000>
  %t.749 = fmul contract <8 x float> %t.710, <float 0x3EB7F7D1C0000000, float 0x3EB7F7D1C0000000, float 0x3EB7F7D1C0000000, float 0x3EB7F7D1C0000000, float 0x3EB7F7D1C0000000, float 0x3EB7F7D1C0000000, float 0x3EB7F7D1C0000000, float 0x3EB7F7D1C0000000>
  %t.750 = fadd contract <8 x float> %t.749, %t.736
  %t.751 = fadd contract <8 x float> %t.748, %t.750
  %t.752 = select <8 x i1> %t.713, <8 x float> %t.736, <8 x float> %t.751
  %t.753 = select <8 x i1> %mask.571, <8 x float> %t.701, <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.754 = bitcast <8 x float> %t.753 to <8 x i32>
  %t.755 = sub <8 x i32> %t.754, <i32 8388608, i32 8388608, i32 8388608, i32 8388608, i32 8388608, i32 8388608, i32 8388608, i32 8388608>
  %t.756 = icmp ult <8 x i32> %t.755, <i32 2130706432, i32 2130706432, i32 2130706432, i32 2130706432, i32 2130706432, i32 2130706432, i32 2130706432, i32 2130706432>
  %t.757 = xor <8 x i1> %t.756, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.758 = bitcast <8 x float> %t.753 to <8 x i32>
  %t.759 = sub <8 x i32> %t.758, <i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283>
  %t.760 = and <8 x i32> %t.759, <i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607>
  %t.761 = add <8 x i32> %t.760, <i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283>
  %t.762 = bitcast <8 x i32> %t.761 to <8 x float>
  %t.763 = fsub contract <8 x float> %t.762, <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.764 = bitcast <8 x i32> %t.759 to <8 x i32>
  %t.765 = ashr <8 x i32> %t.764, <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>
  %t.766 = sitofp <8 x i32> %t.765 to <8 x float>
  %t.767 = fmul contract <8 x float> %t.766, <float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000>
  %t.768 = fmul contract <8 x float> %t.763, %t.763
  %t.769 = fmul contract <8 x float> %t.763, <float 0xBFB38B5840000000, float 0xBFB38B5840000000, float 0xBFB38B5840000000, float 0xBFB38B5840000000, float 0xBFB38B5840000000, float 0xBFB38B5840000000, float 0xBFB38B5840000000, float 0xBFB38B5840000000>
  %t.770 = fadd contract <8 x float> %t.769, <float 0x3FC055B720000000, float 0x3FC055B720000000, float 0x3FC055B720000000, float 0x3FC055B720000000, float 0x3FC055B720000000, float 0x3FC055B720000000, float 0x3FC055B720000000, float 0x3FC055B720000000>
  %t.771 = fmul contract <8 x float> %t.770, %t.763
  %t.772 = fadd contract <8 x float> %t.771, <float 0xBFC0D85460000000, float 0xBFC0D85460000000, float 0xBFC0D85460000000, float 0xBFC0D85460000000, float 0xBFC0D85460000000, float 0xBFC0D85460000000, float 0xBFC0D85460000000, float 0xBFC0D85460000000>
  %t.773 = fmul contract <8 x float> %t.772, %t.763
  %t.774 = fadd contract <8 x float> %t.773, <float 0x3FC22DA1E0000000, float 0x3FC22DA1E0000000, float 0x3FC22DA1E0000000, float 0x3FC22DA1E0000000, float 0x3FC22DA1E0000000, float 0x3FC22DA1E0000000, float 0x3FC22DA1E0000000, float 0x3FC22DA1E0000000>
  %t.775 = fmul contract <8 x float> %t.774, %t.763
  %t.776 = fadd contract <8 x float> %t.775, <float 0xBFC5472440000000, float 0xBFC5472440000000, float 0xBFC5472440000000, float 0xBFC5472440000000, float 0xBFC5472440000000, float 0xBFC5472440000000, float 0xBFC5472440000000, float 0xBFC5472440000000>
  %t.777 = fmul contract <8 x float> %t.776, %t.763
  %t.778 = fadd contract <8 x float> %t.777, <float 0x3FC99A0080000000, float 0x3FC99A0080000000, float 0x3FC99A0080000000, float 0x3FC99A0080000000, float 0x3FC99A0080000000, float 0x3FC99A0080000000, float 0x3FC99A0080000000, float 0x3FC99A0080000000>
  %t.779 = fmul contract <8 x float> %t.778, %t.763
  %t.780 = fadd contract <8 x float> %t.779, <float 0xBFD0002260000000, float 0xBFD0002260000000, float 0xBFD0002260000000, float 0xBFD0002260000000, float 0xBFD0002260000000, float 0xBFD0002260000000, float 0xBFD0002260000000, float 0xBFD0002260000000>
  %t.781 = fmul contract <8 x float> %t.780, %t.763
  %t.782 = fadd contract <8 x float> %t.781, <float 0x3FD5555540000000, float 0x3FD5555540000000, float 0x3FD5555540000000, float 0x3FD5555540000000, float 0x3FD5555540000000, float 0x3FD5555540000000, float 0x3FD5555540000000, float 0x3FD5555540000000>
  %t.783 = fmul contract <8 x float> %t.782, %t.763
  %t.784 = fadd contract <8 x float> %t.783, <float 0xBFE0000000000000, float 0xBFE0000000000000, float 0xBFE0000000000000, float 0xBFE0000000000000, float 0xBFE0000000000000, float 0xBFE0000000000000, float 0xBFE0000000000000, float 0xBFE0000000000000>
  %t.785 = fmul contract <8 x float> %t.768, %t.784
  %t.786 = fadd contract <8 x float> %t.767, %t.785
  %t.787 = fadd contract <8 x float> %t.786, %t.763
  %t.788 = fmul contract <8 x float> %t.766, <float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000>
  %t.789 = fadd contract <8 x float> %t.787, %t.788
  %t.790 = bitcast <8 x i1> %t.757 to i8
  %t.793 = icmp ne i8 %t.790, 0
  %t.794 = call i1 @llvm.expect.i1(i1 %t.793, i1 false)
  br i1 %t.794, label %rare.791, label %usual.792
rare.791:
  %t.795 = fcmp olt <8 x float> %t.753, <float 0x3810000000000000, float 0x3810000000000000, float 0x3810000000000000, float 0x3810000000000000, float 0x3810000000000000, float 0x3810000000000000, float 0x3810000000000000, float 0x3810000000000000>
  %t.796 = fmul contract <8 x float> %t.753, <float 0x4160000000000000, float 0x4160000000000000, float 0x4160000000000000, float 0x4160000000000000, float 0x4160000000000000, float 0x4160000000000000, float 0x4160000000000000, float 0x4160000000000000>
  %t.797 = select <8 x i1> %t.795, <8 x float> %t.796, <8 x float> %t.753
  %t.798 = bitcast <8 x float> %t.797 to <8 x i32>
  %t.799 = sub <8 x i32> %t.798, <i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283>
  %t.800 = and <8 x i32> %t.799, <i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607>
  %t.801 = add <8 x i32> %t.800, <i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283>
  %t.802 = bitcast <8 x i32> %t.801 to <8 x float>
  %t.803 = fsub contract <8 x float> %t.802, <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.804 = bitcast <8 x i32> %t.799 to <8 x i32>
  %t.805 = ashr <8 x i32> %t.804, <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>
  %t.806 = sitofp <8 x i32> %t.805 to <8 x float>
  %t.807 = select <8 x i1> %t.795, <8 x float> <float 0x4037000000000000, float 0x4037000000000000, float 0x4037000000000000, float 0x4037000000000000, float 0x4037000000000000, float 0x4037000000000000, float 0x4037000000000000, float 0x4037000000000000>, <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.808 = fsub contract <8 x float> %t.806, %t.807
  %t.809 = fmul contract <8 x float> %t.808, <float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000>
  %t.810 = fmul contract <8 x float> %t.803, %t.803
  %t.811 = fmul contract <8 x float> %t.803, <float 0xBFB38B5840000000, float 0xBFB38B5840000000, float 0xBFB38B5840000000, float 0xBFB38B5840000000, float 0xBFB38B5840000000, float 0xBFB38B5840000000, float 0xBFB38B5840000000, float 0xBFB38B5840000000>
  %t.812 = fadd contract <8 x float> %t.811, <float 0x3FC055B720000000, float 0x3FC055B720000000, float 0x3FC055B720000000, float 0x3FC055B720000000, float 0x3FC055B720000000, float 0x3FC055B720000000, float 0x3FC055B720000000, float 0x3FC055B720000000>
  %t.813 = fmul contract <8 x float> %t.812, %t.803
  %t.814 = fadd contract <8 x float> %t.813, <float 0xBFC0D85460000000, float 0xBFC0D85460000000, float 0xBFC0D85460000000, float 0xBFC0D85460000000, float 0xBFC0D85460000000, float 0xBFC0D85460000000, float 0xBFC0D85460000000, float 0xBFC0D85460000000>
  %t.815 = fmul contract <8 x float> %t.814, %t.803
  %t.816 = fadd contract <8 x float> %t.815, <float 0x3FC22DA1E0000000, float 0x3FC22DA1E0000000, float 0x3FC22DA1E0000000, float 0x3FC22DA1E0000000, float 0x3FC22DA1E0000000, float 0x3FC22DA1E0000000, float 0x3FC22DA1E0000000, float 0x3FC22DA1E0000000>
  %t.817 = fmul contract <8 x float> %t.816, %t.803
  %t.818 = fadd contract <8 x float> %t.817, <float 0xBFC5472440000000, float 0xBFC5472440000000, float 0xBFC5472440000000, float 0xBFC5472440000000, float 0xBFC5472440000000, float 0xBFC5472440000000, float 0xBFC5472440000000, float 0xBFC5472440000000>
  %t.819 = fmul contract <8 x float> %t.818, %t.803
  %t.820 = fadd contract <8 x float> %t.819, <float 0x3FC99A0080000000, float 0x3FC99A0080000000, float 0x3FC99A0080000000, float 0x3FC99A0080000000, float 0x3FC99A0080000000, float 0x3FC99A0080000000, float 0x3FC99A0080000000, float 0x3FC99A0080000000>
  %t.821 = fmul contract <8 x float> %t.820, %t.803
  %t.822 = fadd contract <8 x float> %t.821, <float 0xBFD0002260000000, float 0xBFD0002260000000, float 0xBFD0002260000000, float 0xBFD0002260000000, float 0xBFD0002260000000, float 0xBFD0002260000000, float 0xBFD0002260000000, float 0xBFD0002260000000>
  %t.823 = fmul contract <8 x float> %t.822, %t.803
  %t.824 = fadd contract <8 x float> %t.823, <float 0x3FD5555540000000, float 0x3FD5555540000000, float 0x3FD5555540000000, float 0x3FD5555540000000, float 0x3FD5555540000000, float 0x3FD5555540000000, float 0x3FD5555540000000, float 0x3FD5555540000000>
  %t.825 = fmul contract <8 x float> %t.824, %t.803
  %t.826 = fadd contract <8 x float> %t.825, <float 0xBFE0000000000000, float 0xBFE0000000000000, float 0xBFE0000000000000, float 0xBFE0000000000000, float 0xBFE0000000000000, float 0xBFE0000000000000, float 0xBFE0000000000000, float 0xBFE0000000000000>
  %t.827 = fmul contract <8 x float> %t.810, %t.826
  %t.828 = fadd contract <8 x float> %t.809, %t.827
  %t.829 = fadd contract <8 x float> %t.828, %t.803
  %t.830 = fmul contract <8 x float> %t.808, <float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000>
  %t.831 = fadd contract <8 x float> %t.829, %t.830
  %t.832 = fcmp oeq <8 x float> %t.753, <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.833 = fcmp ogt <8 x float> %t.753, <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.834 = select <8 x i1> %t.833, <8 x float> %t.753, <8 x float> <float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000>
  %t.835 = select <8 x i1> %t.832, <8 x float> <float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000>, <8 x float> %t.834
  %t.836 = fcmp ogt <8 x float> %t.753, <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.837 = fcmp olt <8 x float> %t.753, <float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000>
  %t.838 = and <8 x i1> %t.836, %t.837
  %t.839 = select <8 x i1> %t.838, <8 x float> %t.831, <8 x float> %t.835
  br label %usual.792
usual.792:
  %t.840 = phi <8 x float> [ %t.789, %last_gang.567 ], [ %t.839, %rare.791 ]
  %t.841 = select <8 x i1> %t.747, <8 x float> %t.752, <8 x float> %t.840
  %t.842 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %x.700)
  %t.843 = fcmp olt <8 x float> %t.842, <float 0x3FE6666660000000, float 0x3FE6666660000000, float 0x3FE6666660000000, float 0x3FE6666660000000, float 0x3FE6666660000000, float 0x3FE6666660000000, float 0x3FE6666660000000, float 0x3FE6666660000000>
  %t.844 = fmul contract <8 x float> <float 0x3E927E4FC0000000, float 0x3E927E4FC0000000, float 0x3E927E4FC0000000, float 0x3E927E4FC0000000, float 0x3E927E4FC0000000, float 0x3E927E4FC0000000, float 0x3E927E4FC0000000, float 0x3E927E4FC0000000>, %x.700
  %t.845 = fadd contract <8 x float> %t.844, <float 0x3EC71DE3A0000000, float 0x3EC71DE3A0000000, float 0x3EC71DE3A0000000, float 0x3EC71DE3A0000000, float 0x3EC71DE3A0000000, float 0x3EC71DE3A0000000, float 0x3EC71DE3A0000000, float 0x3EC71DE3A0000000>
  %t.846 = fmul contract <8 x float> %t.845, %x.700
  %t.847 = fadd contract <8 x float> %t.846, <float 0x3EFA01A020000000, float 0x3EFA01A020000000, float 0x3EFA01A020000000, float 0x3EFA01A020000000, float 0x3EFA01A020000000, float 0x3EFA01A020000000, float 0x3EFA01A020000000, float 0x3EFA01A020000000>
  %t.848 = fmul contract <8 x float> %t.847, %x.700
  %t.849 = fadd contract <8 x float> %t.848, <float 0x3F2A01A020000000, float 0x3F2A01A020000000, float 0x3F2A01A020000000, float 0x3F2A01A020000000, float 0x3F2A01A020000000, float 0x3F2A01A020000000, float 0x3F2A01A020000000, float 0x3F2A01A020000000>
  %t.850 = fmul contract <8 x float> %t.849, %x.700
  %t.851 = fadd contract <8 x float> %t.850, <float 0x3F56C16C20000000, float 0x3F56C16C20000000, float 0x3F56C16C20000000, float 0x3F56C16C20000000, float 0x3F56C16C20000000, float 0x3F56C16C20000000, float 0x3F56C16C20000000, float 0x3F56C16C20000000>
  %t.852 = fmul contract <8 x float> %t.851, %x.700
  %t.853 = fadd contract <8 x float> %t.852, <float 0x3F81111120000000, float 0x3F81111120000000, float 0x3F81111120000000, float 0x3F81111120000000, float 0x3F81111120000000, float 0x3F81111120000000, float 0x3F81111120000000, float 0x3F81111120000000>
  %t.854 = fmul contract <8 x float> %t.853, %x.700
  %t.855 = fadd contract <8 x float> %t.854, <float 0x3FA5555560000000, float 0x3FA5555560000000, float 0x3FA5555560000000, float 0x3FA5555560000000, float 0x3FA5555560000000, float 0x3FA5555560000000, float 0x3FA5555560000000, float 0x3FA5555560000000>
  %t.856 = fmul contract <8 x float> %t.855, %x.700
  %t.857 = fadd contract <8 x float> %t.856, <float 0x3FC5555560000000, float 0x3FC5555560000000, float 0x3FC5555560000000, float 0x3FC5555560000000, float 0x3FC5555560000000, float 0x3FC5555560000000, float 0x3FC5555560000000, float 0x3FC5555560000000>
  %t.858 = fmul contract <8 x float> %t.857, %x.700
  %t.859 = fadd contract <8 x float> %t.858, <float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000>
  %t.860 = fmul contract <8 x float> %t.859, %x.700
  %t.861 = fadd contract <8 x float> %t.860, <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.862 = fmul contract <8 x float> %x.700, %t.861
  %t.863 = select <8 x i1> %mask.571, <8 x float> %x.700, <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.864 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %t.863)
  %t.865 = fcmp olt <8 x float> %t.864, <float 0x4055C00000000000, float 0x4055C00000000000, float 0x4055C00000000000, float 0x4055C00000000000, float 0x4055C00000000000, float 0x4055C00000000000, float 0x4055C00000000000, float 0x4055C00000000000>
  %t.866 = xor <8 x i1> %t.865, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.867 = fmul contract <8 x float> %t.863, <float 0x3FF7154760000000, float 0x3FF7154760000000, float 0x3FF7154760000000, float 0x3FF7154760000000, float 0x3FF7154760000000, float 0x3FF7154760000000, float 0x3FF7154760000000, float 0x3FF7154760000000>
  %t.868 = fadd contract <8 x float> %t.867, <float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000>
  %t.869 = fsub contract <8 x float> %t.868, <float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000>
  %t.870 = fmul contract <8 x float> %t.869, <float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000>
  %t.871 = fsub contract <8 x float> %t.863, %t.870
  %t.872 = fmul contract <8 x float> %t.869, <float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000>
  %t.873 = fsub contract <8 x float> %t.871, %t.872
  %t.874 = fmul contract <8 x float> %t.873, %t.873
  %t.875 = fmul contract <8 x float> %t.873, <float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000>
  %t.876 = fadd contract <8 x float> %t.875, <float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000>
  %t.877 = fmul contract <8 x float> %t.876, %t.873
  %t.878 = fadd contract <8 x float> %t.877, <float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000>
  %t.879 = fmul contract <8 x float> %t.878, %t.873
  %t.880 = fadd contract <8 x float> %t.879, <float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000>
  %t.881 = fmul contract <8 x float> %t.880, %t.873
  %t.882 = fadd contract <8 x float> %t.881, <float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000>
  %t.883 = fmul contract <8 x float> %t.874, %t.882
  %t.884 = fadd contract <8 x float> %t.883, %t.873
  %t.885 = fadd contract <8 x float> %t.884, <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.886 = bitcast <8 x float> %t.868 to <8 x i32>
  %t.887 = add <8 x i32> %t.886, <i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127, i32 127>
  %t.888 = shl <8 x i32> %t.887, <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>
  %t.889 = bitcast <8 x i32> %t.888 to <8 x float>
  %t.890 = fmul contract <8 x float> %t.885, %t.889
  %t.891 = bitcast <8 x i1> %t.866 to i8
  %t.894 = icmp ne i8 %t.891, 0
  %t.895 = call i1 @llvm.expect.i1(i1 %t.894, i1 false)
  br i1 %t.895, label %rare.892, label %usual.893
rare.892:
  %t.896 = fcmp olt <8 x float> <float 0x4059000000000000, float 0x4059000000000000, float 0x4059000000000000, float 0x4059000000000000, float 0x4059000000000000, float 0x4059000000000000, float 0x4059000000000000, float 0x4059000000000000>, %t.863
  %t.897 = select <8 x i1> %t.896, <8 x float> <float 0x4059000000000000, float 0x4059000000000000, float 0x4059000000000000, float 0x4059000000000000, float 0x4059000000000000, float 0x4059000000000000, float 0x4059000000000000, float 0x4059000000000000>, <8 x float> %t.863
  %t.898 = fcmp ogt <8 x float> <float 0xC05A000000000000, float 0xC05A000000000000, float 0xC05A000000000000, float 0xC05A000000000000, float 0xC05A000000000000, float 0xC05A000000000000, float 0xC05A000000000000, float 0xC05A000000000000>, %t.897
  %t.899 = select <8 x i1> %t.898, <8 x float> <float 0xC05A000000000000, float 0xC05A000000000000, float 0xC05A000000000000, float 0xC05A000000000000, float 0xC05A000000000000, float 0xC05A000000000000, float 0xC05A000000000000, float 0xC05A000000000000>, <8 x float> %t.897
  %t.900 = fmul contract <8 x float> %t.899, <float 0x3FF7154760000000, float 0x3FF7154760000000, float 0x3FF7154760000000, float 0x3FF7154760000000, float 0x3FF7154760000000, float 0x3FF7154760000000, float 0x3FF7154760000000, float 0x3FF7154760000000>
  %t.901 = fadd contract <8 x float> %t.900, <float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000>
  %t.902 = fsub contract <8 x float> %t.901, <float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000>
  %t.903 = fmul contract <8 x float> %t.902, <float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000, float 0x3FE62E8000000000>
  %t.904 = fsub contract <8 x float> %t.899, %t.903
  %t.905 = fmul contract <8 x float> %t.902, <float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000, float 0xBEFE8082E0000000>
  %t.906 = fsub contract <8 x float> %t.904, %t.905
  %t.907 = fmul contract <8 x float> %t.906, %t.906
  %t.908 = fmul contract <8 x float> %t.906, <float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000>
  %t.909 = fadd contract <8 x float> %t.908, <float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000>
  %t.910 = fmul contract <8 x float> %t.909, %t.906
  %t.911 = fadd contract <8 x float> %t.910, <float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000>
  %t.912 = fmul contract <8 x float> %t.911, %t.906
  %t.913 = fadd contract <8 x float> %t.912, <float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000>
  %t.914 = fmul contract <8 x float> %t.913, %t.906
  %t.915 = fadd contract <8 x float> %t.914, <float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000>
  %t.916 = fmul contract <8 x float> %t.907, %t.915
  %t.917 = fadd contract <8 x float> %t.916, %t.906
  %t.918 = fadd contract <8 x float> %t.917, <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.919 = bitcast <8 x float> %t.901 to <8 x i32>
  %t.920 = sub <8 x i32> %t.919, <i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248>
  %t.921 = lshr <8 x i32> %t.920, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.922 = sub <8 x i32> %t.920, %t.921
  %t.923 = sub <8 x i32> %t.921, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.924 = shl <8 x i32> %t.923, <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>
  %t.925 = bitcast <8 x i32> %t.924 to <8 x float>
  %t.926 = sub <8 x i32> %t.922, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.927 = shl <8 x i32> %t.926, <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>
  %t.928 = bitcast <8 x i32> %t.927 to <8 x float>
  %t.929 = fmul contract <8 x float> %t.918, %t.925
  %t.930 = fmul contract <8 x float> %t.929, %t.928
  br label %usual.893
usual.893:
  %t.931 = phi <8 x float> [ %t.890, %usual.792 ], [ %t.930, %rare.892 ]
  %t.932 = fsub contract <8 x float> %t.931, <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.933 = select <8 x i1> %t.843, <8 x float> %t.862, <8 x float> %t.932
  %t.934 = fadd contract <8 x float> %t.841, %t.933
  %place.935 = getelementptr float, ptr %buffer2, i64 %index.744
  call void @llvm.masked.store.v8f32.p0(<8 x float> %t.934, ptr %place.935, i32 4, <8 x i1> %mask.571)
  %t.936 = sext i32 %workgroup_id.19 to i64
  %index.937 = mul i64 %t.936, 64
  %index.938 = add i64 %index.937, %t.29
  %place.939 = getelementptr i32, ptr %buffer1, i64 %index.938
  %words.940 = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %place.939, i32 4, <8 x i1> %mask.571, <8 x i32> poison)
  %t.941 = sext i32 %workgroup_id.19 to i64
  %index.942 = mul i64 %t.941, 64
  %index.943 = add i64 %index.942, %t.29
  %t.944 = zext <8 x i32> %words.940 to <8 x i64>
  %t.945 = zext <8 x i32> <i32 10, i32 10, i32 10, i32 10, i32 10, i32 10, i32 10, i32 10> to <8 x i64>
  %t.946 = mul <8 x i64> %t.944, %t.945
  %t.947 = lshr <8 x i64> %t.946, <i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32>
  %t.948 = trunc <8 x i64> %t.947 to <8 x i32>
  %place.949 = getelementptr i32, ptr %buffer3, i64 %index.943
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %t.948, ptr %place.949, i32 4, <8 x i1> %mask.571)
  %t.950 = sext i32 %workgroup_id.19 to i64
  %index.951 = mul i64 %t.950, 64
  %index.952 = add i64 %index.951, %t.29
  %place.953 = getelementptr i32, ptr %buffer1, i64 %index.952
  %words.954 = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %place.953, i32 4, <8 x i1> %mask.571, <8 x i32> poison)
  %t.955 = sext i32 %workgroup_id.19 to i64
  %index.956 = mul i64 %t.955, 64
  %index.957 = add i64 %index.956, %t.29
  %t.958 = sext i32 %param2 to i64
  %t.959 = sext i32 %param2 to i64
  %index.960 = add i64 %t.959, %index.582
  %t.961 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %words.954, <8 x i32> %words.954, <8 x i32> %t.579)
  %place.962 = getelementptr i32, ptr %buffer3, i64 %index.960
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %t.961, ptr %place.962, i32 4, <8 x i1> %mask.571)
  %t.963 = sext i32 %workgroup_id.19 to i64
  %index.964 = mul i64 %t.963, 64
  %index.965 = add i64 %index.964, %t.29
  %place.966 = getelementptr i32, ptr %buffer1, i64 %index.965
  %words.967 = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %place.966, i32 4, <8 x i1> %mask.571, <8 x i32> poison)
  %place.968 = getelementptr inbounds i32, ptr %buffer1, i64 0
  %words.969 = load i32, ptr %place.968, align 4
  %t.970 = sext i32 %param2 to i64
  %index.971 = mul i64 %t.970, 2
  %t.972 = sext i32 %workgroup_id.19 to i64
  %index.973 = mul i64 %t.972, 64
  %index.974 = add i64 %index.973, %t.29
  %t.975 = trunc i64 %index.971 to i32
  %t.976 = sext i32 %t.975 to i64
  %index.977 = add i64 %t.976, %index.974
  %t.978 = and <8 x i32> %words.967, <i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255>
  %t.979 = and i32 %words.969, 255
  %t.980 = insertelement <8 x i32> poison, i32 %t.979, i32 0
  %t.981 = shufflevector <8 x i32> %t.980, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.982 = mul nuw <8 x i32> %t.978, %t.981
  %t.983 = and <8 x i32> <i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8>, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.984 = lshr <8 x i32> %words.967, %t.983
  %t.985 = and <8 x i32> %t.984, <i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255>
  %t.986 = and i32 8, 31
  %t.987 = lshr i32 %words.969, %t.986
  %t.988 = and i32 %t.987, 255
  %t.989 = insertelement <8 x i32> poison, i32 %t.988, i32 0
  %t.990 = shufflevector <8 x i32> %t.989, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.991 = mul nuw <8 x i32> %t.985, %t.990
  %t.992 = add nuw <8 x i32> %t.982, %t.991
  %t.993 = and <8 x i32> <i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16>, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.994 = lshr <8 x i32> %words.967, %t.993
  %t.995 = and <8 x i32> %t.994, <i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255>
  %t.996 = and i32 16, 31
  %t.997 = lshr i32 %words.969, %t.996
  %t.998 = and i32 %t.997, 255
  %t.999 = insertelement <8 x i32> poison, i32 %t.998, i32 0
  %t.1000 = shufflevector <8 x i32> %t.999, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.1001 = mul nuw <8 x i32> %t.995, %t.1000
  %t.1002 = add nuw <8 x i32> %t.992, %t.1001
  %t.1003 = and <8 x i32> <i32 24, i32 24, i32 24, i32 24, i32 24, i32 24, i32 24, i32 24>, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.1004 = lshr <8 x i32> %words.967, %t.1003
  %t.1005 = and <8 x i32> %t.1004, <i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255>
  %t.1006 = and i32 24, 31
  %t.1007 = lshr i32 %words.969, %t.1006
  %t.1008 = and i32 %t.1007, 255
  %t.1009 = insertelement <8 x i32> poison, i32 %t.1008, i32 0
  %t.1010 = shufflevector <8 x i32> %t.1009, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.1011 = mul nuw <8 x i32> %t.1005, %t.1010
  %t.1012 = add nuw <8 x i32> %t.1002, %t.1011
  %place.1013 = getelementptr i32, ptr %buffer3, i64 %index.977
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %t.1012, ptr %place.1013, i32 4, <8 x i1> %mask.571)
  %t.1014 = sext i32 %workgroup_id.19 to i64
  %index.1015 = mul i64 %t.1014, 64
  %index.1016 = add i64 %index.1015, %t.29
  %place.1017 = getelementptr i32, ptr %buffer1, i64 %index.1016
  %words.1018 = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %place.1017, i32 4, <8 x i1> %mask.571, <8 x i32> poison)
  %place.1019 = getelementptr inbounds i32, ptr %buffer1, i64 0
  %words.1020 = load i32, ptr %place.1019, align 4
  %t.1021 = sext i32 %param2 to i64
  %index.1022 = mul i64 %t.1021, 3
  %t.1023 = sext i32 %workgroup_id.19 to i64
  %index.1024 = mul i64 %t.1023, 64
  %index.1025 = add i64 %index.1024, %t.29
  %t.1026 = trunc i64 %index.1022 to i32
  %t.1027 = sext i32 %t.1026 to i64
  %index.1028 = add i64 %t.1027, %index.1025
  %t.1029 = and <8 x i32> <i32 24, i32 24, i32 24, i32 24, i32 24, i32 24, i32 24, i32 24>, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.1030 = shl <8 x i32> %words.1018, %t.1029
  %t.1031 = and <8 x i32> <i32 24, i32 24, i32 24, i32 24, i32 24, i32 24, i32 24, i32 24>, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.1032 = ashr <8 x i32> %t.1030, %t.1031
  %t.1033 = and i32 24, 31
  %t.1034 = shl i32 %words.1020, %t.1033
  %t.1035 = and i32 24, 31
  %t.1036 = ashr i32 %t.1034, %t.1035
  %t.1037 = insertelement <8 x i32> poison, i32 %t.1036, i32 0
  %t.1038 = shufflevector <8 x i32> %t.1037, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.1039 = mul nsw <8 x i32> %t.1032, %t.1038
  %t.1040 = and <8 x i32> <i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16>, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.1041 = shl <8 x i32> %words.1018, %t.1040
  %t.1042 = and <8 x i32> <i32 24, i32 24, i32 24, i32 24, i32 24, i32 24, i32 24, i32 24>, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.1043 = ashr <8 x i32> %t.1041, %t.1042
  %t.1044 = and i32 16, 31
  %t.1045 = shl i32 %words.1020, %t.1044
  %t.1046 = and i32 24, 31
  %t.1047 = ashr i32 %t.1045, %t.1046
  %t.1048 = insertelement <8 x i32> poison, i32 %t.1047, i32 0
  %t.1049 = shufflevector <8 x i32> %t.1048, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.1050 = mul nsw <8 x i32> %t.1043, %t.1049
  %t.1051 = add nsw <8 x i32> %t.1039, %t.1050
  %t.1052 = and <8 x i32> <i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8>, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.1053 = shl <8 x i32> %words.1018, %t.1052
  %t.1054 = and <8 x i32> <i32 24, i32 24, i32 24, i32 24, i32 24, i32 24, i32 24, i32 24>, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.1055 = ashr <8 x i32> %t.1053, %t.1054
  %t.1056 = and i32 8, 31
  %t.1057 = shl i32 %words.1020, %t.1056
  %t.1058 = and i32 24, 31
  %t.1059 = ashr i32 %t.1057, %t.1058
  %t.1060 = insertelement <8 x i32> poison, i32 %t.1059, i32 0
  %t.1061 = shufflevector <8 x i32> %t.1060, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.1062 = mul nsw <8 x i32> %t.1055, %t.1061
  %t.1063 = add nsw <8 x i32> %t.1051, %t.1062
  %t.1064 = and <8 x i32> <i32 24, i32 24, i32 24, i32 24, i32 24, i32 24, i32 24, i32 24>, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.1065 = ashr <8 x i32> %words.1018, %t.1064
  %t.1066 = and i32 24, 31
  %t.1067 = ashr i32 %words.1020, %t.1066
  %t.1068 = insertelement <8 x i32> poison, i32 %t.1067, i32 0
  %t.1069 = shufflevector <8 x i32> %t.1068, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.1070 = mul nsw <8 x i32> %t.1065, %t.1069
  %t.1071 = add nsw <8 x i32> %t.1063, %t.1070
  %place.1072 = getelementptr i32, ptr %buffer3, i64 %index.1028
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %t.1071, ptr %place.1072, i32 4, <8 x i1> %mask.571)
  br label %row_end.566
row_end.566:
  %t.1073 = zext i1 true to i32
  %t.1074 = add nuw i32 %workgroup_id.19, %t.1073
  %t.1075 = icmp eq i32 %t.1074, %gx
  %t.1076 = select i1 %t.1075, i32 0, i32 %t.1074
  store i32 %t.1076, ptr %workgroup_id.7
  %t.1077 = zext i1 %t.1075 to i32
  %t.1078 = add nuw i32 %workgroup_id.20, %t.1077
  %t.1079 = icmp eq i32 %t.1078, %gy
  %t.1080 = select i1 %t.1079, i32 0, i32 %t.1078
  store i32 %t.1080, ptr %workgroup_id.9
  %t.1081 = zext i1 %t.1079 to i32
  %t.1082 = add nuw i32 %workgroup_id.21, %t.1081
  %t.1083 = icmp eq i32 %t.1082, %gz
  %t.1084 = select i1 %t.1083, i32 0, i32 %t.1082
  store i32 %t.1084, ptr %workgroup_id.11
  br label %workgroup_next.15
workgroup_next.15:
  %workgroup.17.next = add nsw i64 %workgroup.17, 1
  br label %workgroup_head.13
workgroup_end.16:
  ret void
}

declare <8 x float> @llvm.copysign.v8f32(<8 x float>, <8 x float>)
declare i1 @llvm.expect.i1(i1, i1)
declare <8 x float> @llvm.fabs.v8f32(<8 x float>)
declare <8 x i32> @llvm.fshl.v8i32(<8 x i32>, <8 x i32>, <8 x i32>)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare <8 x i32> @llvm.masked.load.v8i32.p0(ptr, i32, <8 x i1>, <8 x i32>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)
declare void @llvm.masked.store.v8i32.p0(<8 x i32>, ptr, i32, <8 x i1>)
declare <8 x float> @llvm.maxnum.v8f32(<8 x float>, <8 x float>)
declare i64 @llvm.smax.i64(i64, i64)
declare <8 x i32> @llvm.smax.v8i32(<8 x i32>, <8 x i32>)
declare i64 @llvm.smin.i64(i64, i64)
declare <8 x i32> @llvm.smin.v8i32(<8 x i32>, <8 x i32>)
declare <8 x float> @llvm.sqrt.v8f32(<8 x float>)
