; kernel polynomial
@gpucore_scratch_nbytes = constant i64 0

define void @gpucore_entry(ptr %buffers, ptr %scalars, ptr %scratch, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) nounwind {
entry:
  %t.1 = getelementptr ptr, ptr %buffers, i64 0
  %x.2 = load ptr, ptr %t.1
  %t.3 = getelementptr ptr, ptr %buffers, i64 1
  %y.4 = load ptr, ptr %t.3
  %t.5 = getelementptr ptr, ptr %buffers, i64 2
  %picks.6 = load ptr, ptr %t.5
  %t.7 = getelementptr i8, ptr %scalars, i64 0
  %x_shape_0_.8 = load i32, ptr %t.7
  call void @gpucore_workgroups(ptr %x.2, ptr %y.4, ptr %picks.6, i32 %x_shape_0_.8, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last)
  ret void
}

define internal void @gpucore_workgroups(ptr noalias nonnull align 64 %buffer0, ptr noalias nonnull align 64 %buffer1, ptr noalias nonnull align 64 %buffer2, i32 %param0, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) noinline nounwind {
entry:
  %table.65 = alloca [64 x float], align 64
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
  %t.47 = sext i32 %workgroup_id.13 to i64
  %index.48 = mul i64 %t.47, 64
  %index.49 = add i64 %index.48, %local_x.29
  %place.50 = getelementptr inbounds float, ptr %buffer0, i64 %index.49
  %x.51 = load <8 x float>, ptr %place.50, align 4
  %t.52 = fmul contract <8 x float> %x.46, %x.51
  %t.53 = sext i32 %workgroup_id.13 to i64
  %index.54 = mul i64 %t.53, 64
  %index.55 = add i64 %index.54, %local_x.29
  %place.56 = getelementptr inbounds float, ptr %buffer0, i64 %index.55
  %x.57 = load <8 x float>, ptr %place.56, align 4
  %t.58 = fmul contract <8 x float> %t.52, %x.57
  %t.59 = fmul contract <8 x float> %x.46, <float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000>
  %t.60 = fadd contract <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>, %t.59
  %t.61 = fmul contract <8 x float> %t.52, <float 0x3FD0000000000000, float 0x3FD0000000000000, float 0x3FD0000000000000, float 0x3FD0000000000000, float 0x3FD0000000000000, float 0x3FD0000000000000, float 0x3FD0000000000000, float 0x3FD0000000000000>
  %t.62 = fadd contract <8 x float> %t.60, %t.61
  %t.63 = fmul contract <8 x float> %t.58, <float 0x3FC0000000000000, float 0x3FC0000000000000, float 0x3FC0000000000000, float 0x3FC0000000000000, float 0x3FC0000000000000, float 0x3FC0000000000000, float 0x3FC0000000000000, float 0x3FC0000000000000>
  %t.64 = fadd contract <8 x float> %t.62, %t.63
  call void @llvm.memset.p0.i64(ptr align 4 %table.65, i8 0, i64 256, i1 false)
  br label %k_head.66
k_head.66:
  %k.70 = phi i32 [ 0, %local_x_body.26 ], [ %k.70.next, %k_next.68 ]
  %t.71 = icmp slt i32 %k.70, 8
  br i1 %t.71, label %k_body.67, label %k_end.69
k_body.67:
  %t.72 = sext i32 %k.70 to i64
  %index.73 = mul i64 %t.72, 8
  %t.74 = sitofp i32 %k.70 to float
  %t.75 = insertelement <8 x float> poison, float %t.74, i32 0
  %t.76 = shufflevector <8 x float> %t.75, <8 x float> poison, <8 x i32> zeroinitializer
  %t.77 = fadd contract <8 x float> %t.64, %t.76
  %place.78 = getelementptr inbounds float, ptr %table.65, i64 %index.73
  store <8 x float> %t.77, ptr %place.78, align 4
  br label %k_next.68
k_next.68:
  %k.70.next = add nsw i32 %k.70, 1
  br label %k_head.66
k_end.69:
  %t.79 = sext i32 %workgroup_id.13 to i64
  %index.80 = mul i64 %t.79, 64
  %index.81 = add i64 %index.80, %local_x.29
  %place.82 = getelementptr inbounds i32, ptr %buffer2, i64 %index.81
  %picks.83 = load <8 x i32>, ptr %place.82, align 4
  %t.84 = and <8 x i32> %picks.83, <i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7>
  %t.85 = and <8 x i32> %picks.83, <i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7>
  %t.86 = and <8 x i32> %picks.83, <i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7>
  %t.87 = sext <8 x i32> %t.86 to <8 x i64>
  %t.88 = mul nsw <8 x i64> %t.87, <i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8>
  %t.89 = add nsw <8 x i64> %t.88, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %places.90 = getelementptr inbounds float, ptr %table.65, <8 x i64> %t.89
  %table.91 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places.90, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> poison)
  %t.92 = sext i32 %workgroup_id.13 to i64
  %index.93 = mul i64 %t.92, 64
  %index.94 = add i64 %index.93, %local_x.29
  %place.95 = getelementptr inbounds float, ptr %buffer1, i64 %index.94
  store <8 x float> %table.91, ptr %place.95, align 4
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
  %t.118 = sext i32 %workgroup_id.13 to i64
  %index.119 = mul i64 %t.118, 64
  %index.120 = add i64 %index.119, %t.23
  %place.121 = getelementptr inbounds float, ptr %buffer0, i64 %index.120
  %x.122 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %place.121, i32 4, <8 x i1> %mask.101, <8 x float> poison)
  %t.123 = fmul contract <8 x float> %x.117, %x.122
  %t.124 = sext i32 %workgroup_id.13 to i64
  %index.125 = mul i64 %t.124, 64
  %index.126 = add i64 %index.125, %t.23
  %place.127 = getelementptr inbounds float, ptr %buffer0, i64 %index.126
  %x.128 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %place.127, i32 4, <8 x i1> %mask.101, <8 x float> poison)
  %t.129 = fmul contract <8 x float> %t.123, %x.128
  %t.130 = fmul contract <8 x float> %x.117, <float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000>
  %t.131 = fadd contract <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>, %t.130
  %t.132 = fmul contract <8 x float> %t.123, <float 0x3FD0000000000000, float 0x3FD0000000000000, float 0x3FD0000000000000, float 0x3FD0000000000000, float 0x3FD0000000000000, float 0x3FD0000000000000, float 0x3FD0000000000000, float 0x3FD0000000000000>
  %t.133 = fadd contract <8 x float> %t.131, %t.132
  %t.134 = fmul contract <8 x float> %t.129, <float 0x3FC0000000000000, float 0x3FC0000000000000, float 0x3FC0000000000000, float 0x3FC0000000000000, float 0x3FC0000000000000, float 0x3FC0000000000000, float 0x3FC0000000000000, float 0x3FC0000000000000>
  %t.135 = fadd contract <8 x float> %t.133, %t.134
  call void @llvm.memset.p0.i64(ptr align 4 %table.65, i8 0, i64 256, i1 false)
  br label %k_head.136
k_head.136:
  %k.140 = phi i32 [ 0, %last_gang.97 ], [ %k.140.next, %k_next.138 ]
  %t.141 = icmp slt i32 %k.140, 8
  br i1 %t.141, label %k_body.137, label %k_end.139
k_body.137:
  %t.142 = sext i32 %k.140 to i64
  %index.143 = mul i64 %t.142, 8
  %t.144 = sitofp i32 %k.140 to float
  %t.145 = insertelement <8 x float> poison, float %t.144, i32 0
  %t.146 = shufflevector <8 x float> %t.145, <8 x float> poison, <8 x i32> zeroinitializer
  %t.147 = fadd contract <8 x float> %t.135, %t.146
  %place.148 = getelementptr inbounds float, ptr %table.65, i64 %index.143
  call void @llvm.masked.store.v8f32.p0(<8 x float> %t.147, ptr %place.148, i32 4, <8 x i1> %mask.101)
  br label %k_next.138
k_next.138:
  %k.140.next = add nsw i32 %k.140, 1
  br label %k_head.136
k_end.139:
  %t.149 = sext i32 %workgroup_id.13 to i64
  %index.150 = mul i64 %t.149, 64
  %index.151 = add i64 %index.150, %t.23
  %place.152 = getelementptr inbounds i32, ptr %buffer2, i64 %index.151
  %picks.153 = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %place.152, i32 4, <8 x i1> %mask.101, <8 x i32> poison)
  %t.154 = and <8 x i32> %picks.153, <i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7>
  %t.155 = and <8 x i32> %picks.153, <i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7>
  %t.156 = and <8 x i32> %picks.153, <i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7>
  %t.157 = sext <8 x i32> %t.156 to <8 x i64>
  %t.158 = mul nsw <8 x i64> %t.157, <i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8>
  %t.159 = add nsw <8 x i64> %t.158, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %places.160 = getelementptr inbounds float, ptr %table.65, <8 x i64> %t.159
  %table.161 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places.160, i32 4, <8 x i1> %mask.101, <8 x float> poison)
  %t.162 = sext i32 %workgroup_id.13 to i64
  %index.163 = mul i64 %t.162, 64
  %index.164 = add i64 %index.163, %t.23
  %place.165 = getelementptr inbounds float, ptr %buffer1, i64 %index.164
  call void @llvm.masked.store.v8f32.p0(<8 x float> %table.161, ptr %place.165, i32 4, <8 x i1> %mask.101)
  br label %row_end.96
row_end.96:
  br label %workgroup_next.3
workgroup_next.3:
  %workgroup.5.next = add nsw i64 %workgroup.5, 1
  br label %workgroup_head.1
workgroup_end.4:
  ret void
}

declare <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr>, i32, <8 x i1>, <8 x float>)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare <8 x i32> @llvm.masked.load.v8i32.p0(ptr, i32, <8 x i1>, <8 x i32>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
