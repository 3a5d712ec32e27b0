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
  %workgroup_id.7 = alloca i32, align 4
  %workgroup_id.9 = alloca i32, align 4
  %workgroup_id.11 = alloca i32, align 4
  %table.71 = alloca [64 x float], align 64
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
  %t.53 = sext i32 %workgroup_id.19 to i64
  %index.54 = mul i64 %t.53, 64
  %index.55 = add i64 %index.54, %local_x.35
  %place.56 = getelementptr inbounds float, ptr %buffer0, i64 %index.55
  %x.57 = load <8 x float>, ptr %place.56, align 4
  %t.58 = fmul contract <8 x float> %x.52, %x.57
  %t.59 = sext i32 %workgroup_id.19 to i64
  %index.60 = mul i64 %t.59, 64
  %index.61 = add i64 %index.60, %local_x.35
  %place.62 = getelementptr inbounds float, ptr %buffer0, i64 %index.61
  %x.63 = load <8 x float>, ptr %place.62, align 4
  %t.64 = fmul contract <8 x float> %t.58, %x.63
  %t.65 = fmul contract <8 x float> %x.52, <float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000>
  %t.66 = fadd contract <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>, %t.65
  %t.67 = fmul contract <8 x float> %t.58, <float 0x3FD0000000000000, float 0x3FD0000000000000, float 0x3FD0000000000000, float 0x3FD0000000000000, float 0x3FD0000000000000, float 0x3FD0000000000000, float 0x3FD0000000000000, float 0x3FD0000000000000>
  %t.68 = fadd contract <8 x float> %t.66, %t.67
  %t.69 = fmul contract <8 x float> %t.64, <float 0x3FC0000000000000, float 0x3FC0000000000000, float 0x3FC0000000000000, float 0x3FC0000000000000, float 0x3FC0000000000000, float 0x3FC0000000000000, float 0x3FC0000000000000, float 0x3FC0000000000000>
  %t.70 = fadd contract <8 x float> %t.68, %t.69
  call void @llvm.memset.p0.i64(ptr align 4 %table.71, i8 0, i64 256, i1 false)
  br label %k_head.72
k_head.72:
  %k.76 = phi i32 [ 0, %local_x_body.32 ], [ %k.76.next, %k_next.74 ]
  %t.77 = icmp slt i32 %k.76, 8
  br i1 %t.77, label %k_body.73, label %k_end.75
k_body.73:
  %t.78 = sext i32 %k.76 to i64
  %index.79 = mul i64 %t.78, 8
  %t.80 = sitofp i32 %k.76 to float
  %t.81 = insertelement <8 x float> poison, float %t.80, i32 0
  %t.82 = shufflevector <8 x float> %t.81, <8 x float> poison, <8 x i32> zeroinitializer
  %t.83 = fadd contract <8 x float> %t.70, %t.82
  %place.84 = getelementptr inbounds float, ptr %table.71, i64 %index.79
  store <8 x float> %t.83, ptr %place.84, align 4
  br label %k_next.74
k_next.74:
  %k.76.next = add nsw i32 %k.76, 1
  br label %k_head.72
k_end.75:
  %t.85 = sext i32 %workgroup_id.19 to i64
  %index.86 = mul i64 %t.85, 64
  %index.87 = add i64 %index.86, %local_x.35
  %place.88 = getelementptr inbounds i32, ptr %buffer2, i64 %index.87
  %picks.89 = load <8 x i32>, ptr %place.88, align 4
  %t.90 = and <8 x i32> %picks.89, <i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7>
  %t.91 = and <8 x i32> %picks.89, <i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7>
  %t.92 = and <8 x i32> %picks.89, <i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7>
  %t.93 = sext <8 x i32> %t.92 to <8 x i64>
  %t.94 = mul nsw <8 x i64> %t.93, <i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8>
  %t.95 = add nsw <8 x i64> %t.94, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %places.96 = getelementptr inbounds float, ptr %table.71, <8 x i64> %t.95
  %table.97 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places.96, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> poison)
  %t.98 = sext i32 %workgroup_id.19 to i64
  %index.99 = mul i64 %t.98, 64
  %index.100 = add i64 %index.99, %local_x.35
  %place.101 = getelementptr inbounds float, ptr %buffer1, i64 %index.100
  store <8 x float> %table.97, ptr %place.101, align 32 ; may stream
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
  %place.122 = getelementptr float, ptr %buffer0, i64 %index.121
  %x.123 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %place.122, i32 4, <8 x i1> %mask.107, <8 x float> poison)
  %t.124 = sext i32 %workgroup_id.19 to i64
  %index.125 = mul i64 %t.124, 64
  %index.126 = add i64 %index.125, %t.29
  %place.127 = getelementptr float, ptr %buffer0, i64 %index.126
  %x.128 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %place.127, i32 4, <8 x i1> %mask.107, <8 x float> poison)
  %t.129 = fmul contract <8 x float> %x.123, %x.128
  %t.130 = sext i32 %workgroup_id.19 to i64
  %index.131 = mul i64 %t.130, 64
  %index.132 = add i64 %index.131, %t.29
  %place.133 = getelementptr float, ptr %buffer0, i64 %index.132
  %x.134 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %place.133, i32 4, <8 x i1> %mask.107, <8 x float> poison)
  %t.135 = fmul contract <8 x float> %t.129, %x.134
  %t.136 = fmul contract <8 x float> %x.123, <float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000>
  %t.137 = fadd contract <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>, %t.136
  %t.138 = fmul contract <8 x float> %t.129, <float 0x3FD0000000000000, float 0x3FD0000000000000, float 0x3FD0000000000000, float 0x3FD0000000000000, float 0x3FD0000000000000, float 0x3FD0000000000000, float 0x3FD0000000000000, float 0x3FD0000000000000>
  %t.139 = fadd contract <8 x float> %t.137, %t.138
  %t.140 = fmul contract <8 x float> %t.135, <float 0x3FC0000000000000, float 0x3FC0000000000000, float 0x3FC0000000000000, float 0x3FC0000000000000, float 0x3FC0000000000000, float 0x3FC0000000000000, float 0x3FC0000000000000, float 0x3FC0000000000000>
  %t.141 = fadd contract <8 x float> %t.139, %t.140
  call void @llvm.memset.p0.i64(ptr align 4 %table.71, i8 0, i64 256, i1 false)
  br label %k_head.142
k_head.142:
  %k.146 = phi i32 [ 0, %last_gang.103 ], [ %k.146.next, %k_next.144 ]
  %t.147 = icmp slt i32 %k.146, 8
  br i1 %t.147, label %k_body.143, label %k_end.145
k_body.143:
  %t.148 = sext i32 %k.146 to i64
  %index.149 = mul i64 %t.148, 8
  %t.150 = sitofp i32 %k.146 to float
  %t.151 = insertelement <8 x float> poison, float %t.150, i32 0
  %t.152 = shufflevector <8 x float> %t.151, <8 x float> poison, <8 x i32> zeroinitializer
  %t.153 = fadd contract <8 x float> %t.141, %t.152
  %place.154 = getelementptr float, ptr %table.71, i64 %index.149
  call void @llvm.masked.store.v8f32.p0(<8 x float> %t.153, ptr %place.154, i32 4, <8 x i1> %mask.107)
  br label %k_next.144
k_next.144:
  %k.146.next = add nsw i32 %k.146, 1
  br label %k_head.142
k_end.145:
  %t.155 = sext i32 %workgroup_id.19 to i64
  %index.156 = mul i64 %t.155, 64
  %index.157 = add i64 %index.156, %t.29
  %place.158 = getelementptr i32, ptr %buffer2, i64 %index.157
  %picks.159 = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %place.158, i32 4, <8 x i1> %mask.107, <8 x i32> poison)
  %t.160 = and <8 x i32> %picks.159, <i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7>
  %t.161 = and <8 x i32> %picks.159, <i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7>
  %t.162 = and <8 x i32> %picks.159, <i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7>
  %t.163 = sext <8 x i32> %t.162 to <8 x i64>
  %t.164 = mul nsw <8 x i64> %t.163, <i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8>
  %t.165 = add nsw <8 x i64> %t.164, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %places.166 = getelementptr inbounds float, ptr %table.71, <8 x i64> %t.165
  %table.167 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places.166, i32 4, <8 x i1> %mask.107, <8 x float> poison)
  %t.168 = sext i32 %workgroup_id.19 to i64
  %index.169 = mul i64 %t.168, 64
  %index.170 = add i64 %index.169, %t.29
  %place.171 = getelementptr float, ptr %buffer1, i64 %index.170
  call void @llvm.masked.store.v8f32.p0(<8 x float> %table.167, ptr %place.171, i32 4, <8 x i1> %mask.107)
  br label %row_end.102
row_end.102:
  %t.172 = zext i1 true to i32
  %t.173 = add nuw i32 %workgroup_id.19, %t.172
  %t.174 = icmp eq i32 %t.173, %gx
  %t.175 = select i1 %t.174, i32 0, i32 %t.173
  store i32 %t.175, ptr %workgroup_id.7
  %t.176 = zext i1 %t.174 to i32
  %t.177 = add nuw i32 %workgroup_id.20, %t.176
  %t.178 = icmp eq i32 %t.177, %gy
  %t.179 = select i1 %t.178, i32 0, i32 %t.177
  store i32 %t.179, ptr %workgroup_id.9
  %t.180 = zext i1 %t.178 to i32
  %t.181 = add nuw i32 %workgroup_id.21, %t.180
  %t.182 = icmp eq i32 %t.181, %gz
  %t.183 = select i1 %t.182, i32 0, i32 %t.181
  store i32 %t.183, ptr %workgroup_id.11
  br label %workgroup_next.15
workgroup_next.15:
  %workgroup.17.next = add nsw i64 %workgroup.17, 1
  br label %workgroup_head.13
workgroup_end.16:
  ret void
}

declare <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr>, i32, <8 x i1>, <8 x float>)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare <8 x i32> @llvm.masked.load.v8i32.p0(ptr, i32, <8 x i1>, <8 x i32>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
