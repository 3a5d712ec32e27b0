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
  %t.63 = call <8 x i32> @llvm.fptoui.sat.v8i32.v8f32(<8 x float> %t.62)
  %t.64 = add <8 x i32> %t.55, %t.63
  %place.65 = getelementptr inbounds i32, ptr %buffer1, i64 %index.61
  store <8 x i32> %t.64, ptr %place.65, align 32 ; may stream
  %t.66 = sext i32 %workgroup_id.19 to i64
  %index.67 = mul i64 %t.66, 64
  %index.68 = add i64 %index.67, %local_x.35
  %t.69 = call <8 x i32> @llvm.fptosi.sat.v8i32.v8f32(<8 x float> %t.53)
  %t.70 = sitofp <8 x i32> %t.69 to <8 x float>
  %t.71 = call <8 x float> @llvm.minnum.v8f32(<8 x float> %t.70, <8 x float> <float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000>)
  %place.72 = getelementptr inbounds float, ptr %buffer2, i64 %index.68
  store <8 x float> %t.71, ptr %place.72, align 32 ; may stream
  %t.73 = sext i32 %workgroup_id.19 to i64
  %index.74 = mul i64 %t.73, 64
  %index.75 = add i64 %index.74, %local_x.35
  %place.76 = getelementptr inbounds double, ptr %buffer3, i64 %index.75
  %wide.77 = load <8 x double>, ptr %place.76, align 8
  %t.78 = sext i32 %workgroup_id.19 to i64
  %index.79 = mul i64 %t.78, 64
  %index.80 = add i64 %index.79, %local_x.35
  %t.81 = fpext <8 x float> %t.53 to <8 x double>
  %t.82 = fadd contract <8 x double> %wide.77, %t.81
  %place.83 = getelementptr inbounds double, ptr %buffer3, i64 %index.80
  store <8 x double> %t.82, ptr %place.83, align 8
  %t.84 = sext i32 %workgroup_id.19 to i64
  %index.85 = mul i64 %t.84, 64
  %index.86 = add i64 %index.85, %local_x.35
  %place.87 = getelementptr inbounds i64, ptr %buffer4, i64 %index.86
  %counts.88 = load <8 x i64>, ptr %place.87, align 8
  %t.89 = sext i32 %workgroup_id.19 to i64
  %index.90 = mul i64 %t.89, 64
  %index.91 = add i64 %index.90, %local_x.35
  %place.92 = getelementptr inbounds double, ptr %buffer3, i64 %index.91
  %wide.93 = load <8 x double>, ptr %place.92, align 8
  %t.94 = sext i32 %workgroup_id.19 to i64
  %index.95 = mul i64 %t.94, 64
  %index.96 = add i64 %index.95, %local_x.35
  %t.97 = call <8 x i64> @llvm.fptosi.sat.v8i64.v8f64(<8 x double> %wide.93)
  %t.98 = and <8 x i64> <i64 33, i64 33, i64 33, i64 33, i64 33, i64 33, i64 33, i64 33>, <i64 63, i64 63, i64 63, i64 63, i64 63, i64 63, i64 63, i64 63>
  %t.99 = shl <8 x i64> %t.97, %t.98
  %t.100 = add <8 x i64> %counts.88, %t.99
  %place.101 = getelementptr inbounds i64, ptr %buffer4, i64 %index.96
  store <8 x i64> %t.100, ptr %place.101, align 8
  br label %local_x_next.33
local_x_next.33:
  %local_x.35.next = add nsw i64 %local_x.35, 8
  br label %local_x_head.31
local_x_end.34:
  %t.104 = icmp sgt i64 %t.30, 0
  br i1 %t.104, label %last_gang.103, label %row_end.102
last_gang.103:
  %t.105 = insertelement <8 x i64> poison, i64 %t.30, i32 0
  %t.106 = shufflevector <8 x i64> %t.105, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask.107 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %t.106
  %t.108 = mul nsw i32 %workgroup_id.19, 64
  %local_id.109 = trunc i64 %t.29 to i32
  %t.110 = insertelement <8 x i32> poison, i32 %local_id.109, i32 0
  %t.111 = shufflevector <8 x i32> %t.110, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.112 = add nsw <8 x i32> %t.111, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.113 = insertelement <8 x i32> poison, i32 %t.108, i32 0
  %t.114 = shufflevector <8 x i32> %t.113, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.115 = add nsw <8 x i32> %t.114, %t.112
  %t.116 = sext i32 %workgroup_id.19 to i64
  %index.117 = mul i64 %t.116, 64
  %index.118 = add i64 %index.117, %t.29
  %t.119 = sext i32 %workgroup_id.19 to i64
  %index.120 = mul i64 %t.119, 64
  %index.121 = add i64 %index.120, %t.29
  %place.122 = getelementptr inbounds float, ptr %buffer0, i64 %index.121
  %x.123 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %place.122, i32 4, <8 x i1> %mask.107, <8 x float> poison)
  %t.124 = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %x.123, <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>)
  %t.125 = bitcast <8 x float> %t.124 to <8 x i32>
  %t.126 = xor <8 x i32> %t.125, <i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648>
  %t.127 = bitcast <8 x float> %t.124 to <8 x i32>
  %t.128 = bitcast <8 x float> %t.124 to <8 x i32>
  %t.129 = xor <8 x i32> %t.128, <i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648>
  %t.130 = sext i32 %workgroup_id.19 to i64
  %index.131 = mul i64 %t.130, 64
  %index.132 = add i64 %index.131, %t.29
  %t.133 = fmul contract <8 x float> %t.124, <float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000>
  %t.134 = call <8 x i32> @llvm.fptoui.sat.v8i32.v8f32(<8 x float> %t.133)
  %t.135 = add <8 x i32> %t.126, %t.134
  %place.136 = getelementptr inbounds i32, ptr %buffer1, i64 %index.132
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %t.135, ptr %place.136, i32 4, <8 x i1> %mask.107)
  %t.137 = sext i32 %workgroup_id.19 to i64
  %index.138 = mul i64 %t.137, 64
  %index.139 = add i64 %index.138, %t.29
  %t.140 = call <8 x i32> @llvm.fptosi.sat.v8i32.v8f32(<8 x float> %t.124)
  %t.141 = sitofp <8 x i32> %t.140 to <8 x float>
  %t.142 = call <8 x float> @llvm.minnum.v8f32(<8 x float> %t.141, <8 x float> <float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000>)
  %place.143 = getelementptr inbounds float, ptr %buffer2, i64 %index.139
  call void @llvm.masked.store.v8f32.p0(<8 x float> %t.142, ptr %place.143, i32 4, <8 x i1> %mask.107)
  %t.144 = sext i32 %workgroup_id.19 to i64
  %index.145 = mul i64 %t.144, 64
  %index.146 = add i64 %index.145, %t.29
  %place.147 = getelementptr inbounds double, ptr %buffer3, i64 %index.146
  %wide.148 = call <8 x double> @llvm.masked.load.v8f64.p0(ptr %place.147, i32 8, <8 x i1> %mask.107, <8 x double> poison)
  %t.149 = sext i32 %workgroup_id.19 to i64
  %index.150 = mul i64 %t.149, 64
  %index.151 = add i64 %index.150, %t.29
  %t.152 = fpext <8 x float> %t.124 to <8 x double>
  %t.153 = fadd contract <8 x double> %wide.148, %t.152
  %place.154 = getelementptr inbounds double, ptr %buffer3, i64 %index.151
  call void @llvm.masked.store.v8f64.p0(<8 x double> %t.153, ptr %place.154, i32 8, <8 x i1> %mask.107)
  %t.155 = sext i32 %workgroup_id.19 to i64
  %index.156 = mul i64 %t.155, 64
  %index.157 = add i64 %index.156, %t.29
  %place.158 = getelementptr inbounds i64, ptr %buffer4, i64 %index.157
  %counts.159 = call <8 x i64> @llvm.masked.load.v8i64.p0(ptr %place.158, i32 8, <8 x i1> %mask.107, <8 x i64> poison)
  %t.160 = sext i32 %workgroup_id.19 to i64
  %index.161 = mul i64 %t.160, 64
  %index.162 = add i64 %index.161, %t.29
  %place.163 = getelementptr inbounds double, ptr %buffer3, i64 %index.162
  %wide.164 = call <8 x double> @llvm.masked.load.v8f64.p0(ptr %place.163, i32 8, <8 x i1> %mask.107, <8 x double> poison)
  %t.165 = sext i32 %workgroup_id.19 to i64
  %index.166 = mul i64 %t.165, 64
  %index.167 = add i64 %index.166, %t.29
  %t.168 = call <8 x i64> @llvm.fptosi.sat.v8i64.v8f64(<8 x double> %wide.164)
  %t.169 = and <8 x i64> <i64 33, i64 33, i64 33, i64 33, i64 33, i64 33, i64 33, i64 33>, <i64 63, i64 63, i64 63, i64 63, i64 63, i64 63, i64 63, i64 63>
  %t.170 = shl <8 x i64> %t.168, %t.169
  %t.171 = add <8 x i64> %counts.159, %t.170
  %place.172 = getelementptr inbounds i64, ptr %buffer4, i64 %index.167
  call void @llvm.masked.store.v8i64.p0(<8 x i64> %t.171, ptr %place.172, i32 8, <8 x i1> %mask.107)
  br label %row_end.102
row_end.102:
  %t.173 = zext i1 true to i32
  %t.174 = add nuw i32 %workgroup_id.19, %t.173
  %t.175 = icmp eq i32 %t.174, %gx
  %t.176 = select i1 %t.175, i32 0, i32 %t.174
  store i32 %t.176, ptr %workgroup_id.7
  %t.177 = zext i1 %t.175 to i32
  %t.178 = add nuw i32 %workgroup_id.20, %t.177
  %t.179 = icmp eq i32 %t.178, %gy
  %t.180 = select i1 %t.179, i32 0, i32 %t.178
  store i32 %t.180, ptr %workgroup_id.9
  %t.181 = zext i1 %t.179 to i32
  %t.182 = add nuw i32 %workgroup_id.21, %t.181
  %t.183 = icmp eq i32 %t.182, %gz
  %t.184 = select i1 %t.183, i32 0, i32 %t.182
  store i32 %t.184, ptr %workgroup_id.11
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
