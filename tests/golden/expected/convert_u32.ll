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
  %t.21 = call i64 @llvm.smin.i64(i64 %room.20, i64 64)
  %count.22 = call i64 @llvm.smax.i64(i64 %t.21, i64 0)
  %t.23 = and i64 %count.22, -8
  %t.24 = sub nsw i64 %count.22, %t.23
  br label %local_x_head.25
local_x_head.25:
  %local_x.29 = phi i64 [ 0, %workgroup_body.2 ], [ %local_x.29.next, %local_x_next.27 ]
  %t.30 = icmp slt i64 %local_x.29, %t.23
  br i1 %t.30, label %local_x_body.26, label %local_x_end.28
local_x_body.26:
  %t.31 = mul nsw i32 %workgroup_id.13, 64
  %local_id.32 = trunc i64 %local_x.29 to i32
  %t.33 = insertelement <8 x i32> poison, i32 %local_id.32, i32 0
  %t.34 = shufflevector <8 x i32> %t.33, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.35 = add nsw <8 x i32> %t.34, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.36 = insertelement <8 x i32> poison, i32 %t.31, i32 0
  %t.37 = shufflevector <8 x i32> %t.36, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.38 = add nsw <8 x i32> %t.37, %t.35
  %t.39 = sext i32 %workgroup_id.13 to i64
  %index.40 = mul i64 %t.39, 64
  %index.41 = add i64 %index.40, %local_x.29
  %t.42 = sext i32 %workgroup_id.13 to i64
  %index.43 = mul i64 %t.42, 64
  %index.44 = add i64 %index.43, %local_x.29
  %place.45 = getelementptr inbounds i32, ptr %buffer0, i64 %index.44
  %x.46 = load <8 x i32>, ptr %place.45, align 4
  %t.47 = call <8 x i32> @llvm.umax.v8i32(<8 x i32> %x.46, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>)
  %t.48 = call <8 x i32> @llvm.umax.v8i32(<8 x i32> %x.46, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>)
  %t.49 = xor <8 x i32> %t.47, <i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648>
  %t.50 = xor <8 x i32> %t.47, <i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648>
  %t.51 = sext i32 %workgroup_id.13 to i64
  %index.52 = mul i64 %t.51, 64
  %index.53 = add i64 %index.52, %local_x.29
  %t.54 = uitofp <8 x i32> %t.47 to <8 x float>
  %t.55 = fmul contract <8 x float> %t.54, <float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000>
  %t.56 = call <8 x i32> @llvm.fptoui.sat.v8i32.v8f32(<8 x float> %t.55)
  %t.57 = add <8 x i32> %t.49, %t.56
  %place.58 = getelementptr inbounds i32, ptr %buffer1, i64 %index.53
  store <8 x i32> %t.57, ptr %place.58, align 4
  %t.59 = sext i32 %workgroup_id.13 to i64
  %index.60 = mul i64 %t.59, 64
  %index.61 = add i64 %index.60, %local_x.29
  %t.62 = uitofp <8 x i32> %t.47 to <8 x float>
  %t.63 = call <8 x i32> @llvm.fptosi.sat.v8i32.v8f32(<8 x float> %t.62)
  %t.64 = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %t.63, <8 x i32> <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>)
  %place.65 = getelementptr inbounds i32, ptr %buffer2, i64 %index.61
  store <8 x i32> %t.64, ptr %place.65, align 4
  %t.66 = sext i32 %workgroup_id.13 to i64
  %index.67 = mul i64 %t.66, 64
  %index.68 = add i64 %index.67, %local_x.29
  %place.69 = getelementptr inbounds double, ptr %buffer3, i64 %index.68
  %wide.70 = load <8 x double>, ptr %place.69, align 8
  %t.71 = sext i32 %workgroup_id.13 to i64
  %index.72 = mul i64 %t.71, 64
  %index.73 = add i64 %index.72, %local_x.29
  %t.74 = uitofp <8 x i32> %t.47 to <8 x double>
  %t.75 = fadd contract <8 x double> %wide.70, %t.74
  %place.76 = getelementptr inbounds double, ptr %buffer3, i64 %index.73
  store <8 x double> %t.75, ptr %place.76, align 8
  %t.77 = sext i32 %workgroup_id.13 to i64
  %index.78 = mul i64 %t.77, 64
  %index.79 = add i64 %index.78, %local_x.29
  %place.80 = getelementptr inbounds i64, ptr %buffer4, i64 %index.79
  %counts.81 = load <8 x i64>, ptr %place.80, align 8
  %t.82 = sext i32 %workgroup_id.13 to i64
  %index.83 = mul i64 %t.82, 64
  %index.84 = add i64 %index.83, %local_x.29
  %place.85 = getelementptr inbounds double, ptr %buffer3, i64 %index.84
  %wide.86 = load <8 x double>, ptr %place.85, align 8
  %t.87 = sext i32 %workgroup_id.13 to i64
  %index.88 = mul i64 %t.87, 64
  %index.89 = add i64 %index.88, %local_x.29
  %t.90 = call <8 x i64> @llvm.fptosi.sat.v8i64.v8f64(<8 x double> %wide.86)
  %t.91 = and <8 x i64> <i64 33, i64 33, i64 33, i64 33, i64 33, i64 33, i64 33, i64 33>, <i64 63, i64 63, i64 63, i64 63, i64 63, i64 63, i64 63, i64 63>
  %t.92 = shl <8 x i64> %t.90, %t.91
  %t.93 = add <8 x i64> %counts.81, %t.92
  %place.94 = getelementptr inbounds i64, ptr %buffer4, i64 %index.89
  store <8 x i64> %t.93, ptr %place.94, align 8
  br label %local_x_next.27
local_x_next.27:
  %local_x.29.next = add nsw i64 %local_x.29, 8
  br label %local_x_head.25
local_x_end.28:
  %t.97 = icmp sgt i64 %t.24, 0
  br i1 %t.97, label %last_gang.96, label %row_end.95
last_gang.96:
  %t.98 = insertelement <8 x i64> poison, i64 %t.24, i32 0
  %t.99 = shufflevector <8 x i64> %t.98, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask.100 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %t.99
  %t.101 = mul nsw i32 %workgroup_id.13, 64
  %local_id.102 = trunc i64 %t.23 to i32
  %t.103 = insertelement <8 x i32> poison, i32 %local_id.102, i32 0
  %t.104 = shufflevector <8 x i32> %t.103, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.105 = add nsw <8 x i32> %t.104, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.106 = insertelement <8 x i32> poison, i32 %t.101, i32 0
  %t.107 = shufflevector <8 x i32> %t.106, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.108 = add nsw <8 x i32> %t.107, %t.105
  %t.109 = sext i32 %workgroup_id.13 to i64
  %index.110 = mul i64 %t.109, 64
  %index.111 = add i64 %index.110, %t.23
  %t.112 = sext i32 %workgroup_id.13 to i64
  %index.113 = mul i64 %t.112, 64
  %index.114 = add i64 %index.113, %t.23
  %place.115 = getelementptr inbounds i32, ptr %buffer0, i64 %index.114
  %x.116 = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %place.115, i32 4, <8 x i1> %mask.100, <8 x i32> poison)
  %t.117 = call <8 x i32> @llvm.umax.v8i32(<8 x i32> %x.116, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>)
  %t.118 = call <8 x i32> @llvm.umax.v8i32(<8 x i32> %x.116, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>)
  %t.119 = xor <8 x i32> %t.117, <i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648>
  %t.120 = xor <8 x i32> %t.117, <i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648>
  %t.121 = sext i32 %workgroup_id.13 to i64
  %index.122 = mul i64 %t.121, 64
  %index.123 = add i64 %index.122, %t.23
  %t.124 = uitofp <8 x i32> %t.117 to <8 x float>
  %t.125 = fmul contract <8 x float> %t.124, <float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000>
  %t.126 = call <8 x i32> @llvm.fptoui.sat.v8i32.v8f32(<8 x float> %t.125)
  %t.127 = add <8 x i32> %t.119, %t.126
  %place.128 = getelementptr inbounds i32, ptr %buffer1, i64 %index.123
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %t.127, ptr %place.128, i32 4, <8 x i1> %mask.100)
  %t.129 = sext i32 %workgroup_id.13 to i64
  %index.130 = mul i64 %t.129, 64
  %index.131 = add i64 %index.130, %t.23
  %t.132 = uitofp <8 x i32> %t.117 to <8 x float>
  %t.133 = call <8 x i32> @llvm.fptosi.sat.v8i32.v8f32(<8 x float> %t.132)
  %t.134 = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %t.133, <8 x i32> <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>)
  %place.135 = getelementptr inbounds i32, ptr %buffer2, i64 %index.131
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %t.134, ptr %place.135, i32 4, <8 x i1> %mask.100)
  %t.136 = sext i32 %workgroup_id.13 to i64
  %index.137 = mul i64 %t.136, 64
  %index.138 = add i64 %index.137, %t.23
  %place.139 = getelementptr inbounds double, ptr %buffer3, i64 %index.138
  %wide.140 = call <8 x double> @llvm.masked.load.v8f64.p0(ptr %place.139, i32 8, <8 x i1> %mask.100, <8 x double> poison)
  %t.141 = sext i32 %workgroup_id.13 to i64
  %index.142 = mul i64 %t.141, 64
  %index.143 = add i64 %index.142, %t.23
  %t.144 = uitofp <8 x i32> %t.117 to <8 x double>
  %t.145 = fadd contract <8 x double> %wide.140, %t.144
  %place.146 = getelementptr inbounds double, ptr %buffer3, i64 %index.143
  call void @llvm.masked.store.v8f64.p0(<8 x double> %t.145, ptr %place.146, i32 8, <8 x i1> %mask.100)
  %t.147 = sext i32 %workgroup_id.13 to i64
  %index.148 = mul i64 %t.147, 64
  %index.149 = add i64 %index.148, %t.23
  %place.150 = getelementptr inbounds i64, ptr %buffer4, i64 %index.149
  %counts.151 = call <8 x i64> @llvm.masked.load.v8i64.p0(ptr %place.150, i32 8, <8 x i1> %mask.100, <8 x i64> poison)
  %t.152 = sext i32 %workgroup_id.13 to i64
  %index.153 = mul i64 %t.152, 64
  %index.154 = add i64 %index.153, %t.23
  %place.155 = getelementptr inbounds double, ptr %buffer3, i64 %index.154
  %wide.156 = call <8 x double> @llvm.masked.load.v8f64.p0(ptr %place.155, i32 8, <8 x i1> %mask.100, <8 x double> poison)
  %t.157 = sext i32 %workgroup_id.13 to i64
  %index.158 = mul i64 %t.157, 64
  %index.159 = add i64 %index.158, %t.23
  %t.160 = call <8 x i64> @llvm.fptosi.sat.v8i64.v8f64(<8 x double> %wide.156)
  %t.161 = and <8 x i64> <i64 33, i64 33, i64 33, i64 33, i64 33, i64 33, i64 33, i64 33>, <i64 63, i64 63, i64 63, i64 63, i64 63, i64 63, i64 63, i64 63>
  %t.162 = shl <8 x i64> %t.160, %t.161
  %t.163 = add <8 x i64> %counts.151, %t.162
  %place.164 = getelementptr inbounds i64, ptr %buffer4, i64 %index.159
  call void @llvm.masked.store.v8i64.p0(<8 x i64> %t.163, ptr %place.164, i32 8, <8 x i1> %mask.100)
  br label %row_end.95
row_end.95:
  br label %workgroup_next.3
workgroup_next.3:
  %workgroup.5.next = add nsw i64 %workgroup.5, 1
  br label %workgroup_head.1
workgroup_end.4:
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
