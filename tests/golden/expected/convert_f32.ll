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
  %place.45 = getelementptr inbounds float, ptr %buffer0, i64 %index.44
  %x.46 = load <8 x float>, ptr %place.45, align 4
  %t.47 = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %x.46, <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>)
  %t.48 = bitcast <8 x float> %t.47 to <8 x i32>
  %t.49 = xor <8 x i32> %t.48, <i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648>
  %t.50 = bitcast <8 x float> %t.47 to <8 x i32>
  %t.51 = bitcast <8 x float> %t.47 to <8 x i32>
  %t.52 = xor <8 x i32> %t.51, <i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648>
  %t.53 = sext i32 %workgroup_id.13 to i64
  %index.54 = mul i64 %t.53, 64
  %index.55 = add i64 %index.54, %local_x.29
  %t.56 = fmul contract <8 x float> %t.47, <float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000>
  %t.57 = call <8 x i32> @llvm.fptoui.sat.v8i32.v8f32(<8 x float> %t.56)
  %t.58 = add <8 x i32> %t.49, %t.57
  %place.59 = getelementptr inbounds i32, ptr %buffer1, i64 %index.55
  store <8 x i32> %t.58, ptr %place.59, align 4
  %t.60 = sext i32 %workgroup_id.13 to i64
  %index.61 = mul i64 %t.60, 64
  %index.62 = add i64 %index.61, %local_x.29
  %t.63 = call <8 x i32> @llvm.fptosi.sat.v8i32.v8f32(<8 x float> %t.47)
  %t.64 = sitofp <8 x i32> %t.63 to <8 x float>
  %t.65 = call <8 x float> @llvm.minnum.v8f32(<8 x float> %t.64, <8 x float> <float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000>)
  %place.66 = getelementptr inbounds float, ptr %buffer2, i64 %index.62
  store <8 x float> %t.65, ptr %place.66, align 4
  %t.67 = sext i32 %workgroup_id.13 to i64
  %index.68 = mul i64 %t.67, 64
  %index.69 = add i64 %index.68, %local_x.29
  %place.70 = getelementptr inbounds double, ptr %buffer3, i64 %index.69
  %wide.71 = load <8 x double>, ptr %place.70, align 8
  %t.72 = sext i32 %workgroup_id.13 to i64
  %index.73 = mul i64 %t.72, 64
  %index.74 = add i64 %index.73, %local_x.29
  %t.75 = fpext <8 x float> %t.47 to <8 x double>
  %t.76 = fadd contract <8 x double> %wide.71, %t.75
  %place.77 = getelementptr inbounds double, ptr %buffer3, i64 %index.74
  store <8 x double> %t.76, ptr %place.77, align 8
  %t.78 = sext i32 %workgroup_id.13 to i64
  %index.79 = mul i64 %t.78, 64
  %index.80 = add i64 %index.79, %local_x.29
  %place.81 = getelementptr inbounds i64, ptr %buffer4, i64 %index.80
  %counts.82 = load <8 x i64>, ptr %place.81, align 8
  %t.83 = sext i32 %workgroup_id.13 to i64
  %index.84 = mul i64 %t.83, 64
  %index.85 = add i64 %index.84, %local_x.29
  %place.86 = getelementptr inbounds double, ptr %buffer3, i64 %index.85
  %wide.87 = load <8 x double>, ptr %place.86, align 8
  %t.88 = sext i32 %workgroup_id.13 to i64
  %index.89 = mul i64 %t.88, 64
  %index.90 = add i64 %index.89, %local_x.29
  %t.91 = call <8 x i64> @llvm.fptosi.sat.v8i64.v8f64(<8 x double> %wide.87)
  %t.92 = and <8 x i64> <i64 33, i64 33, i64 33, i64 33, i64 33, i64 33, i64 33, i64 33>, <i64 63, i64 63, i64 63, i64 63, i64 63, i64 63, i64 63, i64 63>
  %t.93 = shl <8 x i64> %t.91, %t.92
  %t.94 = add <8 x i64> %counts.82, %t.93
  %place.95 = getelementptr inbounds i64, ptr %buffer4, i64 %index.90
  store <8 x i64> %t.94, ptr %place.95, align 8
  br label %local_x_next.27
local_x_next.27:
  %local_x.29.next = add nsw i64 %local_x.29, 8
  br label %local_x_head.25
local_x_end.28:
  %t.98 = icmp sgt i64 %t.24, 0
  br i1 %t.98, label %last_gang.97, label %row_end.96
last_gang.97:
  %t.99 = insertelement <8 x i64> poison, i64 %t.24, i32 0
  %t.100 = shufflevector <8 x i64> %t.99, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask.101 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %t.100
  %t.102 = mul nsw i32 %workgroup_id.13, 64
  %local_id.103 = trunc i64 %t.23 to i32
  %t.104 = insertelement <8 x i32> poison, i32 %local_id.103, i32 0
  %t.105 = shufflevector <8 x i32> %t.104, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.106 = add nsw <8 x i32> %t.105, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.107 = insertelement <8 x i32> poison, i32 %t.102, i32 0
  %t.108 = shufflevector <8 x i32> %t.107, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.109 = add nsw <8 x i32> %t.108, %t.106
  %t.110 = sext i32 %workgroup_id.13 to i64
  %index.111 = mul i64 %t.110, 64
  %index.112 = add i64 %index.111, %t.23
  %t.113 = sext i32 %workgroup_id.13 to i64
  %index.114 = mul i64 %t.113, 64
  %index.115 = add i64 %index.114, %t.23
  %place.116 = getelementptr inbounds float, ptr %buffer0, i64 %index.115
  %x.117 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %place.116, i32 4, <8 x i1> %mask.101, <8 x float> poison)
  %t.118 = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %x.117, <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>)
  %t.119 = bitcast <8 x float> %t.118 to <8 x i32>
  %t.120 = xor <8 x i32> %t.119, <i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648>
  %t.121 = bitcast <8 x float> %t.118 to <8 x i32>
  %t.122 = bitcast <8 x float> %t.118 to <8 x i32>
  %t.123 = xor <8 x i32> %t.122, <i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648>
  %t.124 = sext i32 %workgroup_id.13 to i64
  %index.125 = mul i64 %t.124, 64
  %index.126 = add i64 %index.125, %t.23
  %t.127 = fmul contract <8 x float> %t.118, <float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000, float 0x3FF8000000000000>
  %t.128 = call <8 x i32> @llvm.fptoui.sat.v8i32.v8f32(<8 x float> %t.127)
  %t.129 = add <8 x i32> %t.120, %t.128
  %place.130 = getelementptr inbounds i32, ptr %buffer1, i64 %index.126
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %t.129, ptr %place.130, i32 4, <8 x i1> %mask.101)
  %t.131 = sext i32 %workgroup_id.13 to i64
  %index.132 = mul i64 %t.131, 64
  %index.133 = add i64 %index.132, %t.23
  %t.134 = call <8 x i32> @llvm.fptosi.sat.v8i32.v8f32(<8 x float> %t.118)
  %t.135 = sitofp <8 x i32> %t.134 to <8 x float>
  %t.136 = call <8 x float> @llvm.minnum.v8f32(<8 x float> %t.135, <8 x float> <float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000, float 0x47EFFFFFE0000000>)
  %place.137 = getelementptr inbounds float, ptr %buffer2, i64 %index.133
  call void @llvm.masked.store.v8f32.p0(<8 x float> %t.136, ptr %place.137, i32 4, <8 x i1> %mask.101)
  %t.138 = sext i32 %workgroup_id.13 to i64
  %index.139 = mul i64 %t.138, 64
  %index.140 = add i64 %index.139, %t.23
  %place.141 = getelementptr inbounds double, ptr %buffer3, i64 %index.140
  %wide.142 = call <8 x double> @llvm.masked.load.v8f64.p0(ptr %place.141, i32 8, <8 x i1> %mask.101, <8 x double> poison)
  %t.143 = sext i32 %workgroup_id.13 to i64
  %index.144 = mul i64 %t.143, 64
  %index.145 = add i64 %index.144, %t.23
  %t.146 = fpext <8 x float> %t.118 to <8 x double>
  %t.147 = fadd contract <8 x double> %wide.142, %t.146
  %place.148 = getelementptr inbounds double, ptr %buffer3, i64 %index.145
  call void @llvm.masked.store.v8f64.p0(<8 x double> %t.147, ptr %place.148, i32 8, <8 x i1> %mask.101)
  %t.149 = sext i32 %workgroup_id.13 to i64
  %index.150 = mul i64 %t.149, 64
  %index.151 = add i64 %index.150, %t.23
  %place.152 = getelementptr inbounds i64, ptr %buffer4, i64 %index.151
  %counts.153 = call <8 x i64> @llvm.masked.load.v8i64.p0(ptr %place.152, i32 8, <8 x i1> %mask.101, <8 x i64> poison)
  %t.154 = sext i32 %workgroup_id.13 to i64
  %index.155 = mul i64 %t.154, 64
  %index.156 = add i64 %index.155, %t.23
  %place.157 = getelementptr inbounds double, ptr %buffer3, i64 %index.156
  %wide.158 = call <8 x double> @llvm.masked.load.v8f64.p0(ptr %place.157, i32 8, <8 x i1> %mask.101, <8 x double> poison)
  %t.159 = sext i32 %workgroup_id.13 to i64
  %index.160 = mul i64 %t.159, 64
  %index.161 = add i64 %index.160, %t.23
  %t.162 = call <8 x i64> @llvm.fptosi.sat.v8i64.v8f64(<8 x double> %wide.158)
  %t.163 = and <8 x i64> <i64 33, i64 33, i64 33, i64 33, i64 33, i64 33, i64 33, i64 33>, <i64 63, i64 63, i64 63, i64 63, i64 63, i64 63, i64 63, i64 63>
  %t.164 = shl <8 x i64> %t.162, %t.163
  %t.165 = add <8 x i64> %counts.153, %t.164
  %place.166 = getelementptr inbounds i64, ptr %buffer4, i64 %index.161
  call void @llvm.masked.store.v8i64.p0(<8 x i64> %t.165, ptr %place.166, i32 8, <8 x i1> %mask.101)
  br label %row_end.96
row_end.96:
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
