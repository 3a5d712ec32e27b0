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
  %t.62 = call <8 x i32> @llvm.fptoui.sat.v8i32.v8f32(<8 x float> %t.61)
  %t.63 = add <8 x i32> %t.55, %t.62
  %place.64 = getelementptr inbounds i32, ptr %buffer1, i64 %index.59
  store <8 x i32> %t.63, ptr %place.64, align 32 ; may stream
  %t.65 = sext i32 %workgroup_id.19 to i64
  %index.66 = mul i64 %t.65, 64
  %index.67 = add i64 %index.66, %local_x.35
  %t.68 = uitofp <8 x i32> %t.53 to <8 x float>
  %t.69 = call <8 x i32> @llvm.fptosi.sat.v8i32.v8f32(<8 x float> %t.68)
  %t.70 = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %t.69, <8 x i32> <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>)
  %place.71 = getelementptr inbounds i32, ptr %buffer2, i64 %index.67
  store <8 x i32> %t.70, ptr %place.71, align 32 ; may stream
  %t.72 = sext i32 %workgroup_id.19 to i64
  %index.73 = mul i64 %t.72, 64
  %index.74 = add i64 %index.73, %local_x.35
  %place.75 = getelementptr inbounds double, ptr %buffer3, i64 %index.74
  %wide.76 = load <8 x double>, ptr %place.75, align 8
  %t.77 = sext i32 %workgroup_id.19 to i64
  %index.78 = mul i64 %t.77, 64
  %index.79 = add i64 %index.78, %local_x.35
  %t.80 = uitofp <8 x i32> %t.53 to <8 x double>
  %t.81 = fadd contract <8 x double> %wide.76, %t.80
  %place.82 = getelementptr inbounds double, ptr %buffer3, i64 %index.79
  store <8 x double> %t.81, ptr %place.82, align 8
  %t.83 = sext i32 %workgroup_id.19 to i64
  %index.84 = mul i64 %t.83, 64
  %index.85 = add i64 %index.84, %local_x.35
  %place.86 = getelementptr inbounds i64, ptr %buffer4, i64 %index.85
  %counts.87 = load <8 x i64>, ptr %place.86, align 8
  %t.88 = sext i32 %workgroup_id.19 to i64
  %index.89 = mul i64 %t.88, 64
  %index.90 = add i64 %index.89, %local_x.35
  %place.91 = getelementptr inbounds double, ptr %buffer3, i64 %index.90
  %wide.92 = load <8 x double>, ptr %place.91, align 8
  %t.93 = sext i32 %workgroup_id.19 to i64
  %index.94 = mul i64 %t.93, 64
  %index.95 = add i64 %index.94, %local_x.35
  %t.96 = call <8 x i64> @llvm.fptosi.sat.v8i64.v8f64(<8 x double> %wide.92)
  %t.97 = and <8 x i64> <i64 33, i64 33, i64 33, i64 33, i64 33, i64 33, i64 33, i64 33>, <i64 63, i64 63, i64 63, i64 63, i64 63, i64 63, i64 63, i64 63>
  %t.98 = shl <8 x i64> %t.96, %t.97
  %t.99 = add <8 x i64> %counts.87, %t.98
  %place.100 = getelementptr inbounds i64, ptr %buffer4, i64 %index.95
  store <8 x i64> %t.99, ptr %place.100, align 8
  br label %local_x_next.33
local_x_next.33:
  %local_x.35.next = add nsw i64 %local_x.35, 8
  br label %local_x_head.31
local_x_end.34:
  %t.103 = icmp sgt i64 %t.30, 0
  br i1 %t.103, label %last_gang.102, label %row_end.101
last_gang.102:
  %t.104 = insertelement <8 x i64> poison, i64 %t.30, i32 0
  %t.105 = shufflevector <8 x i64> %t.104, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask.106 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %t.105
  %t.107 = mul nsw i32 %workgroup_id.19, 64
  %local_id.108 = trunc i64 %t.29 to i32
  %t.109 = insertelement <8 x i32> poison, i32 %local_id.108, i32 0
  %t.110 = shufflevector <8 x i32> %t.109, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.111 = add nsw <8 x i32> %t.110, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.112 = insertelement <8 x i32> poison, i32 %t.107, i32 0
  %t.113 = shufflevector <8 x i32> %t.112, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.114 = add nsw <8 x i32> %t.113, %t.111
  %t.115 = sext i32 %workgroup_id.19 to i64
  %index.116 = mul i64 %t.115, 64
  %index.117 = add i64 %index.116, %t.29
  %t.118 = sext i32 %workgroup_id.19 to i64
  %index.119 = mul i64 %t.118, 64
  %index.120 = add i64 %index.119, %t.29
  %place.121 = getelementptr inbounds i32, ptr %buffer0, i64 %index.120
  %x.122 = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %place.121, i32 4, <8 x i1> %mask.106, <8 x i32> poison)
  %t.123 = call <8 x i32> @llvm.umax.v8i32(<8 x i32> %x.122, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>)
  %t.124 = call <8 x i32> @llvm.umax.v8i32(<8 x i32> %x.122, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>)
  %t.125 = xor <8 x i32> %t.123, <i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648>
  %t.126 = xor <8 x i32> %t.123, <i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648>
  %t.127 = sext i32 %workgroup_id.19 to i64
  %index.128 = mul i64 %t.127, 64
  %index.129 = add i64 %index.128, %t.29
  %t.130 = uitofp <8 x i32> %t.123 to <8 x float>
  %t.131 = fmul contract <8 x float> %t.130, <float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000>
  %t.132 = call <8 x i32> @llvm.fptoui.sat.v8i32.v8f32(<8 x float> %t.131)
  %t.133 = add <8 x i32> %t.125, %t.132
  %place.134 = getelementptr inbounds i32, ptr %buffer1, i64 %index.129
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %t.133, ptr %place.134, i32 4, <8 x i1> %mask.106)
  %t.135 = sext i32 %workgroup_id.19 to i64
  %index.136 = mul i64 %t.135, 64
  %index.137 = add i64 %index.136, %t.29
  %t.138 = uitofp <8 x i32> %t.123 to <8 x float>
  %t.139 = call <8 x i32> @llvm.fptosi.sat.v8i32.v8f32(<8 x float> %t.138)
  %t.140 = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %t.139, <8 x i32> <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>)
  %place.141 = getelementptr inbounds i32, ptr %buffer2, i64 %index.137
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %t.140, ptr %place.141, i32 4, <8 x i1> %mask.106)
  %t.142 = sext i32 %workgroup_id.19 to i64
  %index.143 = mul i64 %t.142, 64
  %index.144 = add i64 %index.143, %t.29
  %place.145 = getelementptr inbounds double, ptr %buffer3, i64 %index.144
  %wide.146 = call <8 x double> @llvm.masked.load.v8f64.p0(ptr %place.145, i32 8, <8 x i1> %mask.106, <8 x double> poison)
  %t.147 = sext i32 %workgroup_id.19 to i64
  %index.148 = mul i64 %t.147, 64
  %index.149 = add i64 %index.148, %t.29
  %t.150 = uitofp <8 x i32> %t.123 to <8 x double>
  %t.151 = fadd contract <8 x double> %wide.146, %t.150
  %place.152 = getelementptr inbounds double, ptr %buffer3, i64 %index.149
  call void @llvm.masked.store.v8f64.p0(<8 x double> %t.151, ptr %place.152, i32 8, <8 x i1> %mask.106)
  %t.153 = sext i32 %workgroup_id.19 to i64
  %index.154 = mul i64 %t.153, 64
  %index.155 = add i64 %index.154, %t.29
  %place.156 = getelementptr inbounds i64, ptr %buffer4, i64 %index.155
  %counts.157 = call <8 x i64> @llvm.masked.load.v8i64.p0(ptr %place.156, i32 8, <8 x i1> %mask.106, <8 x i64> poison)
  %t.158 = sext i32 %workgroup_id.19 to i64
  %index.159 = mul i64 %t.158, 64
  %index.160 = add i64 %index.159, %t.29
  %place.161 = getelementptr inbounds double, ptr %buffer3, i64 %index.160
  %wide.162 = call <8 x double> @llvm.masked.load.v8f64.p0(ptr %place.161, i32 8, <8 x i1> %mask.106, <8 x double> poison)
  %t.163 = sext i32 %workgroup_id.19 to i64
  %index.164 = mul i64 %t.163, 64
  %index.165 = add i64 %index.164, %t.29
  %t.166 = call <8 x i64> @llvm.fptosi.sat.v8i64.v8f64(<8 x double> %wide.162)
  %t.167 = and <8 x i64> <i64 33, i64 33, i64 33, i64 33, i64 33, i64 33, i64 33, i64 33>, <i64 63, i64 63, i64 63, i64 63, i64 63, i64 63, i64 63, i64 63>
  %t.168 = shl <8 x i64> %t.166, %t.167
  %t.169 = add <8 x i64> %counts.157, %t.168
  %place.170 = getelementptr inbounds i64, ptr %buffer4, i64 %index.165
  call void @llvm.masked.store.v8i64.p0(<8 x i64> %t.169, ptr %place.170, i32 8, <8 x i1> %mask.106)
  br label %row_end.101
row_end.101:
  %t.171 = zext i1 true to i32
  %t.172 = add nuw i32 %workgroup_id.19, %t.171
  %t.173 = icmp eq i32 %t.172, %gx
  %t.174 = select i1 %t.173, i32 0, i32 %t.172
  store i32 %t.174, ptr %workgroup_id.7
  %t.175 = zext i1 %t.173 to i32
  %t.176 = add nuw i32 %workgroup_id.20, %t.175
  %t.177 = icmp eq i32 %t.176, %gy
  %t.178 = select i1 %t.177, i32 0, i32 %t.176
  store i32 %t.178, ptr %workgroup_id.9
  %t.179 = zext i1 %t.177 to i32
  %t.180 = add nuw i32 %workgroup_id.21, %t.179
  %t.181 = icmp eq i32 %t.180, %gz
  %t.182 = select i1 %t.181, i32 0, i32 %t.180
  store i32 %t.182, ptr %workgroup_id.11
  br label %workgroup_next.15
workgroup_next.15:
  %workgroup.17.next = add nsw i64 %workgroup.17, 1
  br label %workgroup_head.13
workgroup_end.16:
  ret void
}

declare <8 x i32> @llvm.fptosi.sat.v8i32.v8f32(<8 x float>)
declare <8 x i64> @llvm.fptosi.sat.v8i64.v8f64(<8 x double>)
declare <8 x i32> @llvm.fptoui.sat.v8i32.v8f32(<8 x float>)
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
