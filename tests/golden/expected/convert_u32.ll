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
  %place.51 = getelementptr inbounds i32, ptr %buffer0, i64 %index.50
  %x.52 = load <8 x i32>, ptr %place.51, align 4
  %t.53 = call <8 x i32> @llvm.umax.v8i32(<8 x i32> %x.52, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>)
  %t.54 = call <8 x i32> @llvm.umax.v8i32(<8 x i32> %x.52, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>)
  %t.55 = xor <8 x i32> %t.53, <i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648>
  %t.56 = xor <8 x i32> %t.53, <i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648>
  %t.57 = sext i32 %workgroup_id.19 to i64
  %index.58 = mul i64 %t.57, 64
  %index.59 = add i64 %index.58, %local_x.35
  %t.60 = uitofp <8 x i32> %t.53 to <8 x float>
  %t.61 = fmul contract <8 x float> %t.60, <float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000>
  %t.62 = fcmp ogt <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>, %t.61
  %t.63 = select <8 x i1> %t.62, <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>, <8 x float> %t.61
  %t.64 = fcmp olt <8 x float> %t.63, <float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000>
  %t.65 = select <8 x i1> %t.64, <8 x float> %t.63, <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.66 = fcmp oge <8 x float> %t.63, <float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000>
  %t.67 = fptoui <8 x float> %t.65 to <8 x i32>
  %t.68 = select <8 x i1> %t.66, <8 x i32> <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>, <8 x i32> %t.67
  %t.69 = add <8 x i32> %t.55, %t.68
  %place.70 = getelementptr inbounds i32, ptr %buffer1, i64 %index.59
  store <8 x i32> %t.69, ptr %place.70, align 32 ; may stream
  %t.71 = sext i32 %workgroup_id.19 to i64
  %index.72 = mul i64 %t.71, 64
  %index.73 = add i64 %index.72, %local_x.35
  %t.74 = uitofp <8 x i32> %t.53 to <8 x float>
  %t.75 = fcmp ogt <8 x float> <float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000>, %t.74
  %t.76 = select <8 x i1> %t.75, <8 x float> <float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000>, <8 x float> %t.74
  %t.77 = fcmp olt <8 x float> %t.76, <float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000>
  %t.78 = select <8 x i1> %t.77, <8 x float> %t.76, <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.79 = fcmp oge <8 x float> %t.76, <float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000>
  %t.80 = fptosi <8 x float> %t.78 to <8 x i32>
  %t.81 = select <8 x i1> %t.79, <8 x i32> <i32 2147483647, i32 2147483647, i32 2147483647, i32 2147483647, i32 2147483647, i32 2147483647, i32 2147483647, i32 2147483647>, <8 x i32> %t.80
  %t.82 = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %t.81, <8 x i32> <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>)
  %place.83 = getelementptr inbounds i32, ptr %buffer2, i64 %index.73
  store <8 x i32> %t.82, ptr %place.83, align 32 ; may stream
  %t.84 = sext i32 %workgroup_id.19 to i64
  %index.85 = mul i64 %t.84, 64
  %index.86 = add i64 %index.85, %local_x.35
  %place.87 = getelementptr inbounds double, ptr %buffer3, i64 %index.86
  %wide.88 = load <8 x double>, ptr %place.87, align 8
  %t.89 = sext i32 %workgroup_id.19 to i64
  %index.90 = mul i64 %t.89, 64
  %index.91 = add i64 %index.90, %local_x.35
  %t.92 = uitofp <8 x i32> %t.53 to <8 x double>
  %t.93 = fadd contract <8 x double> %wide.88, %t.92
  %place.94 = getelementptr inbounds double, ptr %buffer3, i64 %index.91
  store <8 x double> %t.93, ptr %place.94, align 8
  %t.95 = sext i32 %workgroup_id.19 to i64
  %index.96 = mul i64 %t.95, 64
  %index.97 = add i64 %index.96, %local_x.35
  %place.98 = getelementptr inbounds i64, ptr %buffer4, i64 %index.97
  %counts.99 = load <8 x i64>, ptr %place.98, align 8
  %t.100 = sext i32 %workgroup_id.19 to i64
  %index.101 = mul i64 %t.100, 64
  %index.102 = add i64 %index.101, %local_x.35
  %place.103 = getelementptr inbounds double, ptr %buffer3, i64 %index.102
  %wide.104 = load <8 x double>, ptr %place.103, align 8
  %t.105 = sext i32 %workgroup_id.19 to i64
  %index.106 = mul i64 %t.105, 64
  %index.107 = add i64 %index.106, %local_x.35
  %t.108 = fcmp ogt <8 x double> <double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000>, %wide.104
  %t.109 = select <8 x i1> %t.108, <8 x double> <double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000>, <8 x double> %wide.104
  %t.110 = fcmp olt <8 x double> %t.109, <double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000>
  %t.111 = select <8 x i1> %t.110, <8 x double> %t.109, <8 x double> <double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000>
  %t.112 = fcmp oge <8 x double> %t.109, <double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000>
  %t.113 = fptosi <8 x double> %t.111 to <8 x i64>
  %t.114 = select <8 x i1> %t.112, <8 x i64> <i64 9223372036854775807, i64 9223372036854775807, i64 9223372036854775807, i64 9223372036854775807, i64 9223372036854775807, i64 9223372036854775807, i64 9223372036854775807, i64 9223372036854775807>, <8 x i64> %t.113
  %t.115 = and <8 x i64> <i64 33, i64 33, i64 33, i64 33, i64 33, i64 33, i64 33, i64 33>, <i64 63, i64 63, i64 63, i64 63, i64 63, i64 63, i64 63, i64 63>
  %t.116 = shl <8 x i64> %t.114, %t.115
  %t.117 = add <8 x i64> %counts.99, %t.116
  %place.118 = getelementptr inbounds i64, ptr %buffer4, i64 %index.107
  store <8 x i64> %t.117, ptr %place.118, align 8
  br label %local_x_next.33
local_x_next.33:
  %local_x.35.next = add nsw i64 %local_x.35, 8
  br label %local_x_head.31
local_x_end.34:
  %t.121 = icmp sgt i64 %t.30, 0
  br i1 %t.121, label %last_gang.120, label %row_end.119
last_gang.120:
  %t.122 = insertelement <8 x i64> poison, i64 %t.30, i32 0
  %t.123 = shufflevector <8 x i64> %t.122, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask.124 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %t.123
  %t.125 = mul nsw i32 %workgroup_id.19, 64
  %local_id.126 = trunc i64 %t.29 to i32
  %t.127 = insertelement <8 x i32> poison, i32 %local_id.126, i32 0
  %t.128 = shufflevector <8 x i32> %t.127, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.129 = add nsw <8 x i32> %t.128, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.130 = insertelement <8 x i32> poison, i32 %t.125, i32 0
  %t.131 = shufflevector <8 x i32> %t.130, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.132 = add nsw <8 x i32> %t.131, %t.129
  %t.133 = sext i32 %workgroup_id.19 to i64
  %index.134 = mul i64 %t.133, 64
  %index.135 = add i64 %index.134, %t.29
  %t.136 = sext i32 %workgroup_id.19 to i64
  %index.137 = mul i64 %t.136, 64
  %index.138 = add i64 %index.137, %t.29
  %place.139 = getelementptr i32, ptr %buffer0, i64 %index.138
  %x.140 = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %place.139, i32 4, <8 x i1> %mask.124, <8 x i32> poison)
  %t.141 = call <8 x i32> @llvm.umax.v8i32(<8 x i32> %x.140, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>)
  %t.142 = call <8 x i32> @llvm.umax.v8i32(<8 x i32> %x.140, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>)
  %t.143 = xor <8 x i32> %t.141, <i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648>
  %t.144 = xor <8 x i32> %t.141, <i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648>
  %t.145 = sext i32 %workgroup_id.19 to i64
  %index.146 = mul i64 %t.145, 64
  %index.147 = add i64 %index.146, %t.29
  %t.148 = uitofp <8 x i32> %t.141 to <8 x float>
  %t.149 = fmul contract <8 x float> %t.148, <float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000>
  %t.150 = fcmp ogt <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>, %t.149
  %t.151 = select <8 x i1> %t.150, <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>, <8 x float> %t.149
  %t.152 = fcmp olt <8 x float> %t.151, <float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000>
  %t.153 = select <8 x i1> %t.152, <8 x float> %t.151, <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.154 = fcmp oge <8 x float> %t.151, <float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000, float 0x41F0000000000000>
  %t.155 = fptoui <8 x float> %t.153 to <8 x i32>
  %t.156 = select <8 x i1> %t.154, <8 x i32> <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>, <8 x i32> %t.155
  %t.157 = add <8 x i32> %t.143, %t.156
  %place.158 = getelementptr i32, ptr %buffer1, i64 %index.147
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %t.157, ptr %place.158, i32 4, <8 x i1> %mask.124)
  %t.159 = sext i32 %workgroup_id.19 to i64
  %index.160 = mul i64 %t.159, 64
  %index.161 = add i64 %index.160, %t.29
  %t.162 = uitofp <8 x i32> %t.141 to <8 x float>
  %t.163 = fcmp ogt <8 x float> <float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000>, %t.162
  %t.164 = select <8 x i1> %t.163, <8 x float> <float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000, float 0xC1E0000000000000>, <8 x float> %t.162
  %t.165 = fcmp olt <8 x float> %t.164, <float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000>
  %t.166 = select <8 x i1> %t.165, <8 x float> %t.164, <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.167 = fcmp oge <8 x float> %t.164, <float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000, float 0x41E0000000000000>
  %t.168 = fptosi <8 x float> %t.166 to <8 x i32>
  %t.169 = select <8 x i1> %t.167, <8 x i32> <i32 2147483647, i32 2147483647, i32 2147483647, i32 2147483647, i32 2147483647, i32 2147483647, i32 2147483647, i32 2147483647>, <8 x i32> %t.168
  %t.170 = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %t.169, <8 x i32> <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>)
  %place.171 = getelementptr i32, ptr %buffer2, i64 %index.161
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %t.170, ptr %place.171, i32 4, <8 x i1> %mask.124)
  %t.172 = sext i32 %workgroup_id.19 to i64
  %index.173 = mul i64 %t.172, 64
  %index.174 = add i64 %index.173, %t.29
  %place.175 = getelementptr double, ptr %buffer3, i64 %index.174
  %wide.176 = call <8 x double> @llvm.masked.load.v8f64.p0(ptr %place.175, i32 8, <8 x i1> %mask.124, <8 x double> poison)
  %t.177 = sext i32 %workgroup_id.19 to i64
  %index.178 = mul i64 %t.177, 64
  %index.179 = add i64 %index.178, %t.29
  %t.180 = uitofp <8 x i32> %t.141 to <8 x double>
  %t.181 = fadd contract <8 x double> %wide.176, %t.180
  %place.182 = getelementptr double, ptr %buffer3, i64 %index.179
  call void @llvm.masked.store.v8f64.p0(<8 x double> %t.181, ptr %place.182, i32 8, <8 x i1> %mask.124)
  %t.183 = sext i32 %workgroup_id.19 to i64
  %index.184 = mul i64 %t.183, 64
  %index.185 = add i64 %index.184, %t.29
  %place.186 = getelementptr i64, ptr %buffer4, i64 %index.185
  %counts.187 = call <8 x i64> @llvm.masked.load.v8i64.p0(ptr %place.186, i32 8, <8 x i1> %mask.124, <8 x i64> poison)
  %t.188 = sext i32 %workgroup_id.19 to i64
  %index.189 = mul i64 %t.188, 64
  %index.190 = add i64 %index.189, %t.29
  %place.191 = getelementptr double, ptr %buffer3, i64 %index.190
  %wide.192 = call <8 x double> @llvm.masked.load.v8f64.p0(ptr %place.191, i32 8, <8 x i1> %mask.124, <8 x double> poison)
  %t.193 = sext i32 %workgroup_id.19 to i64
  %index.194 = mul i64 %t.193, 64
  %index.195 = add i64 %index.194, %t.29
  %t.196 = fcmp ogt <8 x double> <double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000>, %wide.192
  %t.197 = select <8 x i1> %t.196, <8 x double> <double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000, double 0xC3E0000000000000>, <8 x double> %wide.192
  %t.198 = fcmp olt <8 x double> %t.197, <double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000>
  %t.199 = select <8 x i1> %t.198, <8 x double> %t.197, <8 x double> <double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000>
  %t.200 = fcmp oge <8 x double> %t.197, <double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000, double 0x43E0000000000000>
  %t.201 = fptosi <8 x double> %t.199 to <8 x i64>
  %t.202 = select <8 x i1> %t.200, <8 x i64> <i64 9223372036854775807, i64 9223372036854775807, i64 9223372036854775807, i64 9223372036854775807, i64 9223372036854775807, i64 9223372036854775807, i64 9223372036854775807, i64 9223372036854775807>, <8 x i64> %t.201
  %t.203 = and <8 x i64> <i64 33, i64 33, i64 33, i64 33, i64 33, i64 33, i64 33, i64 33>, <i64 63, i64 63, i64 63, i64 63, i64 63, i64 63, i64 63, i64 63>
  %t.204 = shl <8 x i64> %t.202, %t.203
  %t.205 = add <8 x i64> %counts.187, %t.204
  %place.206 = getelementptr i64, ptr %buffer4, i64 %index.195
  call void @llvm.masked.store.v8i64.p0(<8 x i64> %t.205, ptr %place.206, i32 8, <8 x i1> %mask.124)
  br label %row_end.119
row_end.119:
  %t.207 = zext i1 true to i32
  %t.208 = add nuw i32 %workgroup_id.19, %t.207
  %t.209 = icmp eq i32 %t.208, %gx
  %t.210 = select i1 %t.209, i32 0, i32 %t.208
  store i32 %t.210, ptr %workgroup_id.7
  %t.211 = zext i1 %t.209 to i32
  %t.212 = add nuw i32 %workgroup_id.20, %t.211
  %t.213 = icmp eq i32 %t.212, %gy
  %t.214 = select i1 %t.213, i32 0, i32 %t.212
  store i32 %t.214, ptr %workgroup_id.9
  %t.215 = zext i1 %t.213 to i32
  %t.216 = add nuw i32 %workgroup_id.21, %t.215
  %t.217 = icmp eq i32 %t.216, %gz
  %t.218 = select i1 %t.217, i32 0, i32 %t.216
  store i32 %t.218, ptr %workgroup_id.11
  br label %workgroup_next.15
workgroup_next.15:
  %workgroup.17.next = add nsw i64 %workgroup.17, 1
  br label %workgroup_head.13
workgroup_end.16:
  ret void
}

declare <8 x double> @llvm.masked.load.v8f64.p0(ptr, i32, <8 x i1>, <8 x double>)
declare <8 x i32> @llvm.masked.load.v8i32.p0(ptr, i32, <8 x i1>, <8 x i32>)
declare <8 x i64> @llvm.masked.load.v8i64.p0(ptr, i32, <8 x i1>, <8 x i64>)
declare void @llvm.masked.store.v8f64.p0(<8 x double>, ptr, i32, <8 x i1>)
declare void @llvm.masked.store.v8i32.p0(<8 x i32>, ptr, i32, <8 x i1>)
declare void @llvm.masked.store.v8i64.p0(<8 x i64>, ptr, i32, <8 x i1>)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare <8 x i32> @llvm.umax.v8i32(<8 x i32>, <8 x i32>)
declare <8 x i32> @llvm.umin.v8i32(<8 x i32>, <8 x i32>)
