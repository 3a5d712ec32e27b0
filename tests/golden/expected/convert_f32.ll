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
  %t.53 = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %x.52, <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>)
  %t.54 = bitcast <8 x float> %t.53 to <8 x i32>
  %t.55 = xor <8 x i32> %t.54, <i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648>
  %t.56 = bitcast <8 x float> %t.53 to <8 x i32>
  %t.57 = bitcast <8 x float> %t.53 to <8 x i32>
  %t.58 = xor <8 x i32> %t.57, <i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648>
  %t.59 = sext i32 %workgroup_id.19 to i64
  %index.60 = mul i64 %t.59, 64
  %index.61 = add i64 %index.60, %local_x.35
  %t.62 = fmul contract <8 x float> %t.53, <float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000>
  %t.63 = fcmp ogt <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>, %t.62
  %t.64 = select <8 x i1> %t.63, <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>, <8 x float> %t.62
  %t.65 = fcmp olt <8 x float> %t.64, <float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000>
  %t.66 = select <8 x i1> %t.65, <8 x float> %t.64, <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.67 = fcmp oge <8 x float> %t.64, <float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000>
  %t.68 = fptoui <8 x float> %t.66 to <8 x i32>
  %t.69 = select <8 x i1> %t.67, <8 x i32> <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>, <8 x i32> %t.68
  %t.70 = add <8 x i32> %t.55, %t.69
  %place.71 = getelementptr inbounds i32, ptr %buffer1, i64 %index.61
  store <8 x i32> %t.70, ptr %place.71, align 32 ; may stream
  %t.72 = sext i32 %workgroup_id.19 to i64
  %index.73 = mul i64 %t.72, 64
  %index.74 = add i64 %index.73, %local_x.35
  %t.75 = fcmp ogt <8 x float> <float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000>, %t.53
  %t.76 = select <8 x i1> %t.75, <8 x float> <float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000>, <8 x float> %t.53
  %t.77 = fcmp olt <8 x float> %t.76, <float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000>
  %t.78 = select <8 x i1> %t.77, <8 x float> %t.76, <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.79 = fcmp oge <8 x float> %t.76, <float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000>
  %t.80 = fptosi <8 x float> %t.78 to <8 x i32>
  %t.81 = select <8 x i1> %t.79, <8 x i32> <i32 2147483647, i32 2147483647, i32 2147483647, i32 2147483647, i32 2147483647, i32 2147483647, i32 2147483647, i32 2147483647>, <8 x i32> %t.80
  %t.82 = sitofp <8 x i32> %t.81 to <8 x float>
  %t.83 = call <8 x float> @llvm.minnum.v8f32(<8 x float> %t.82, <8 x float> <float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000>)
  %place.84 = getelementptr inbounds float, ptr %buffer2, i64 %index.74
  store <8 x float> %t.83, ptr %place.84, align 32 ; may stream
  %t.85 = sext i32 %workgroup_id.19 to i64
  %index.86 = mul i64 %t.85, 64
  %index.87 = add i64 %index.86, %local_x.35
  %place.88 = getelementptr inbounds double, ptr %buffer3, i64 %index.87
  %wide.89 = load <8 x double>, ptr %place.88, align 8
  %t.90 = sext i32 %workgroup_id.19 to i64
  %index.91 = mul i64 %t.90, 64
  %index.92 = add i64 %index.91, %local_x.35
  %t.93 = fpext <8 x float> %t.53 to <8 x double>
  %t.94 = fadd contract <8 x double> %wide.89, %t.93
  %place.95 = getelementptr inbounds double, ptr %buffer3, i64 %index.92
  store <8 x double> %t.94, ptr %place.95, align 8
  %t.96 = sext i32 %workgroup_id.19 to i64
  %index.97 = mul i64 %t.96, 64
  %index.98 = add i64 %index.97, %local_x.35
  %place.99 = getelementptr inbounds i64, ptr %buffer4, i64 %index.98
  %counts.100 = load <8 x i64>, ptr %place.99, align 8
  %t.101 = sext i32 %workgroup_id.19 to i64
  %index.102 = mul i64 %t.101, 64
  %index.103 = add i64 %index.102, %local_x.35
  %place.104 = getelementptr inbounds double, ptr %buffer3, i64 %index.103
  %wide.105 = load <8 x double>, ptr %place.104, align 8
  %t.106 = sext i32 %workgroup_id.19 to i64
  %index.107 = mul i64 %t.106, 64
  %index.108 = add i64 %index.107, %local_x.35
  %t.109 = fcmp ogt <8 x double> <double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000>, %wide.105
  %t.110 = select <8 x i1> %t.109, <8 x double> <double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000>, <8 x double> %wide.105
  %t.111 = fcmp olt <8 x double> %t.110, <double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000>
  %t.112 = select <8 x i1> %t.111, <8 x double> %t.110, <8 x double> <double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000>
  %t.113 = fcmp oge <8 x double> %t.110, <double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000>
  %t.114 = fptosi <8 x double> %t.112 to <8 x i64>
  %t.115 = select <8 x i1> %t.113, <8 x i64> <i64 9223372036854775807, i64 9223372036854775807, i64 9223372036854775807, i64 9223372036854775807, i64 9223372036854775807, i64 9223372036854775807, i64 9223372036854775807, i64 9223372036854775807>, <8 x i64> %t.114
  %t.116 = and <8 x i64> <i64 33, i64 33, i64 33, i64 33, i64 33, i64 33, i64 33, i64 33>, <i64 63, i64 63, i64 63, i64 63, i64 63, i64 63, i64 63, i64 63>
  %t.117 = shl <8 x i64> %t.115, %t.116
  %t.118 = add <8 x i64> %counts.100, %t.117
  %place.119 = getelementptr inbounds i64, ptr %buffer4, i64 %index.108
  store <8 x i64> %t.118, ptr %place.119, align 8
  br label %local_x_next.33
local_x_next.33:
  %local_x.35.next = add nsw i64 %local_x.35, 8
  br label %local_x_head.31
local_x_end.34:
  %t.122 = icmp sgt i64 %t.30, 0
  br i1 %t.122, label %last_gang.121, label %row_end.120
last_gang.121:
  %t.123 = insertelement <8 x i64> poison, i64 %t.30, i32 0
  %t.124 = shufflevector <8 x i64> %t.123, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask.125 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %t.124
  %t.126 = mul nsw i32 %workgroup_id.19, 64
  %local_id.127 = trunc i64 %t.29 to i32
  %t.128 = insertelement <8 x i32> poison, i32 %local_id.127, i32 0
  %t.129 = shufflevector <8 x i32> %t.128, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.130 = add nsw <8 x i32> %t.129, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.131 = insertelement <8 x i32> poison, i32 %t.126, i32 0
  %t.132 = shufflevector <8 x i32> %t.131, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.133 = add nsw <8 x i32> %t.132, %t.130
  %t.134 = sext i32 %workgroup_id.19 to i64
  %index.135 = mul i64 %t.134, 64
  %index.136 = add i64 %index.135, %t.29
  %t.137 = sext i32 %workgroup_id.19 to i64
  %index.138 = mul i64 %t.137, 64
  %index.139 = add i64 %index.138, %t.29
  %place.140 = getelementptr float, ptr %buffer0, i64 %index.139
  %x.141 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %place.140, i32 4, <8 x i1> %mask.125, <8 x float> poison)
  %t.142 = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %x.141, <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>)
  %t.143 = bitcast <8 x float> %t.142 to <8 x i32>
  %t.144 = xor <8 x i32> %t.143, <i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648>
  %t.145 = bitcast <8 x float> %t.142 to <8 x i32>
  %t.146 = bitcast <8 x float> %t.142 to <8 x i32>
  %t.147 = xor <8 x i32> %t.146, <i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648>
  %t.148 = sext i32 %workgroup_id.19 to i64
  %index.149 = mul i64 %t.148, 64
  %index.150 = add i64 %index.149, %t.29
  %t.151 = fmul contract <8 x float> %t.142, <float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000>
  %t.152 = fcmp ogt <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>, %t.151
  %t.153 = select <8 x i1> %t.152, <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>, <8 x float> %t.151
  %t.154 = fcmp olt <8 x float> %t.153, <float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000>
  %t.155 = select <8 x i1> %t.154, <8 x float> %t.153, <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.156 = fcmp oge <8 x float> %t.153, <float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000>
  %t.157 = fptoui <8 x float> %t.155 to <8 x i32>
  %t.158 = select <8 x i1> %t.156, <8 x i32> <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>, <8 x i32> %t.157
  %t.159 = add <8 x i32> %t.144, %t.158
  %place.160 = getelementptr i32, ptr %buffer1, i64 %index.150
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %t.159, ptr %place.160, i32 4, <8 x i1> %mask.125)
  %t.161 = sext i32 %workgroup_id.19 to i64
  %index.162 = mul i64 %t.161, 64
  %index.163 = add i64 %index.162, %t.29
  %t.164 = fcmp ogt <8 x float> <float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000>, %t.142
  %t.165 = select <8 x i1> %t.164, <8 x float> <float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000>, <8 x float> %t.142
  %t.166 = fcmp olt <8 x float> %t.165, <float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000>
  %t.167 = select <8 x i1> %t.166, <8 x float> %t.165, <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.168 = fcmp oge <8 x float> %t.165, <float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000>
  %t.169 = fptosi <8 x float> %t.167 to <8 x i32>
  %t.170 = select <8 x i1> %t.168, <8 x i32> <i32 2147483647, i32 2147483647, i32 2147483647, i32 2147483647, i32 2147483647, i32 2147483647, i32 2147483647, i32 2147483647>, <8 x i32> %t.169
  %t.171 = sitofp <8 x i32> %t.170 to <8 x float>
  %t.172 = call <8 x float> @llvm.minnum.v8f32(<8 x float> %t.171, <8 x float> <float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000>)
  %place.173 = getelementptr float, ptr %buffer2, i64 %index.163
  call void @llvm.masked.store.v8f32.p0(<8 x float> %t.172, ptr %place.173, i32 4, <8 x i1> %mask.125)
  %t.174 = sext i32 %workgroup_id.19 to i64
  %index.175 = mul i64 %t.174, 64
  %index.176 = add i64 %index.175, %t.29
  %place.177 = getelementptr double, ptr %buffer3, i64 %index.176
  %wide.178 = call <8 x double> @llvm.masked.load.v8f64.p0(ptr %place.177, i32 8, <8 x i1> %mask.125, <8 x double> poison)
  %t.179 = sext i32 %workgroup_id.19 to i64
  %index.180 = mul i64 %t.179, 64
  %index.181 = add i64 %index.180, %t.29
  %t.182 = fpext <8 x float> %t.142 to <8 x double>
  %t.183 = fadd contract <8 x double> %wide.178, %t.182
  %place.184 = getelementptr double, ptr %buffer3, i64 %index.181
  call void @llvm.masked.store.v8f64.p0(<8 x double> %t.183, ptr %place.184, i32 8, <8 x i1> %mask.125)
  %t.185 = sext i32 %workgroup_id.19 to i64
  %index.186 = mul i64 %t.185, 64
  %index.187 = add i64 %index.186, %t.29
  %place.188 = getelementptr i64, ptr %buffer4, i64 %index.187
  %counts.189 = call <8 x i64> @llvm.masked.load.v8i64.p0(ptr %place.188, i32 8, <8 x i1> %mask.125, <8 x i64> poison)
  %t.190 = sext i32 %workgroup_id.19 to i64
  %index.191 = mul i64 %t.190, 64
  %index.192 = add i64 %index.191, %t.29
  %place.193 = getelementptr double, ptr %buffer3, i64 %index.192
  %wide.194 = call <8 x double> @llvm.masked.load.v8f64.p0(ptr %place.193, i32 8, <8 x i1> %mask.125, <8 x double> poison)
  %t.195 = sext i32 %workgroup_id.19 to i64
  %index.196 = mul i64 %t.195, 64
  %index.197 = add i64 %index.196, %t.29
  %t.198 = fcmp ogt <8 x double> <double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000>, %wide.194
  %t.199 = select <8 x i1> %t.198, <8 x double> <double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000>, <8 x double> %wide.194
  %t.200 = fcmp olt <8 x double> %t.199, <double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000>
  %t.201 = select <8 x i1> %t.200, <8 x double> %t.199, <8 x double> <double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000>
  %t.202 = fcmp oge <8 x double> %t.199, <double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000>
  %t.203 = fptosi <8 x double> %t.201 to <8 x i64>
  %t.204 = select <8 x i1> %t.202, <8 x i64> <i64 9223372036854775807, i64 9223372036854775807, i64 9223372036854775807, i64 9223372036854775807, i64 9223372036854775807, i64 9223372036854775807, i64 9223372036854775807, i64 9223372036854775807>, <8 x i64> %t.203
  %t.205 = and <8 x i64> <i64 33, i64 33, i64 33, i64 33, i64 33, i64 33, i64 33, i64 33>, <i64 63, i64 63, i64 63, i64 63, i64 63, i64 63, i64 63, i64 63>
  %t.206 = shl <8 x i64> %t.204, %t.205
  %t.207 = add <8 x i64> %counts.189, %t.206
  %place.208 = getelementptr i64, ptr %buffer4, i64 %index.197
  call void @llvm.masked.store.v8i64.p0(<8 x i64> %t.207, ptr %place.208, i32 8, <8 x i1> %mask.125)
  br label %row_end.120
row_end.120:
  %t.209 = zext i1 true to i32
  %t.210 = add nuw i32 %workgroup_id.19, %t.209
  %t.211 = icmp eq i32 %t.210, %gx
  %t.212 = select i1 %t.211, i32 0, i32 %t.210
  store i32 %t.212, ptr %workgroup_id.7
  %t.213 = zext i1 %t.211 to i32
  %t.214 = add nuw i32 %workgroup_id.20, %t.213
  %t.215 = icmp eq i32 %t.214, %gy
  %t.216 = select i1 %t.215, i32 0, i32 %t.214
  store i32 %t.216, ptr %workgroup_id.9
  %t.217 = zext i1 %t.215 to i32
  %t.218 = add nuw i32 %workgroup_id.21, %t.217
  %t.219 = icmp eq i32 %t.218, %gz
  %t.220 = select i1 %t.219, i32 0, i32 %t.218
  store i32 %t.220, ptr %workgroup_id.11
  br label %workgroup_next.15
workgroup_next.15:
  %workgroup.17.next = add nsw i64 %workgroup.17, 1
  br label %workgroup_head.13
workgroup_end.16:
  ret void
}

declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare <8 x double> @llvm.masked.load.v8f64.p0(ptr, i32, <8 x i1>, <8 x double>)
declare <8 x i64> @llvm.masked.load.v8i64.p0(ptr, i32, <8 x i1>, <8 x i64>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)
declare void @llvm.masked.store.v8f64.p0(<8 x double>, ptr, i32, <8 x i1>)
declare void @llvm.masked.store.v8i32.p0(<8 x i32>, ptr, i32, <8 x i1>)
declare void @llvm.masked.store.v8i64.p0(<8 x i64>, ptr, i32, <8 x i1>)
declare <8 x float> @llvm.maxnum.v8f32(<8 x float>, <8 x float>)
declare <8 x float> @llvm.minnum.v8f32(<8 x float>, <8 x float>)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
