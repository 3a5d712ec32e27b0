; kernel blend
@gpucore_scratch_nbytes = constant i64 0

define void @gpucore_entry(ptr %buffers, ptr %scalars, ptr %scratch, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) nounwind {
entry:
  %t.1 = getelementptr ptr, ptr %buffers, i64 0
  %x.2 = load ptr, ptr %t.1
  %t.3 = getelementptr ptr, ptr %buffers, i64 1
  %y.4 = load ptr, ptr %t.3
  %t.5 = getelementptr i8, ptr %scalars, i64 0
  %x_shape_0_.6 = load i32, ptr %t.5
  %t.7 = getelementptr i8, ptr %scalars, i64 4
  %y_shape_0_.8 = load i32, ptr %t.7
  %t.9 = getelementptr i8, ptr %scalars, i64 8
  %how_weight.10 = load float, ptr %t.9
  %t.11 = getelementptr i8, ptr %scalars, i64 12
  %how_offset.12 = load i32, ptr %t.11
  %t.13 = getelementptr i8, ptr %scalars, i64 16
  %how_invert.14 = load i32, ptr %t.13
  %t.15 = icmp ne i32 %how_invert.14, 0
  %t.16 = getelementptr i8, ptr %scalars, i64 20
  %clamp.17 = load i32, ptr %t.16
  %t.18 = icmp ne i32 %clamp.17, 0
  %t.19 = getelementptr i8, ptr %scalars, i64 24
  %x_last.20 = load i32, ptr %t.19
  call void @gpucore_workgroups(ptr %x.2, ptr %y.4, i32 %x_shape_0_.6, i32 %y_shape_0_.8, float %how_weight.10, i32 %how_offset.12, i1 %t.15, i1 %t.18, i32 %x_last.20, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last)
  ret void
}

define internal void @gpucore_workgroups(ptr noalias nonnull align 64 %buffer0, ptr noalias nonnull align 64 %buffer1, i32 %param0, i32 %param1, float %param2, i32 %param3, i1 %param4, i1 %param5, i32 %param6, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) noinline nounwind {
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
  %t.25 = sext i32 %param1 to i64
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
  %t.48 = zext i32 %param6 to i64
  %t.49 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.50 = shufflevector <8 x i32> %t.49, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.51 = add <8 x i32> %t.44, %t.50
  %t.52 = sub nsw i32 %param0, 1
  %t.53 = insertelement <8 x i32> poison, i32 %t.52, i32 0
  %t.54 = shufflevector <8 x i32> %t.53, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.55 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.51, <8 x i32> %t.54)
  %t.56 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.57 = shufflevector <8 x i32> %t.56, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.58 = add <8 x i32> %t.44, %t.57
  %t.59 = sub nsw i32 %param0, 1
  %t.60 = insertelement <8 x i32> poison, i32 %t.59, i32 0
  %t.61 = shufflevector <8 x i32> %t.60, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.62 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.58, <8 x i32> %t.61)
  %t.63 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.64 = shufflevector <8 x i32> %t.63, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.65 = add <8 x i32> %t.44, %t.64
  %t.66 = sub nsw i32 %param0, 1
  %t.67 = insertelement <8 x i32> poison, i32 %t.66, i32 0
  %t.68 = shufflevector <8 x i32> %t.67, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.69 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.65, <8 x i32> %t.68)
  %t.70 = insertelement <8 x i32> poison, i32 %param6, i32 0
  %t.71 = shufflevector <8 x i32> %t.70, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.72 = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %t.69, <8 x i32> %t.71)
  %t.73 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.74 = shufflevector <8 x i32> %t.73, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.75 = add <8 x i32> %t.44, %t.74
  %t.76 = sub nsw i32 %param0, 1
  %t.77 = insertelement <8 x i32> poison, i32 %t.76, i32 0
  %t.78 = shufflevector <8 x i32> %t.77, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.79 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.75, <8 x i32> %t.78)
  %t.80 = insertelement <8 x i32> poison, i32 %param6, i32 0
  %t.81 = shufflevector <8 x i32> %t.80, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.82 = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %t.79, <8 x i32> %t.81)
  %t.83 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.84 = shufflevector <8 x i32> %t.83, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.85 = add <8 x i32> %t.44, %t.84
  %t.86 = sub nsw i32 %param0, 1
  %t.87 = insertelement <8 x i32> poison, i32 %t.86, i32 0
  %t.88 = shufflevector <8 x i32> %t.87, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.89 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.85, <8 x i32> %t.88)
  %t.90 = insertelement <8 x i32> poison, i32 %param6, i32 0
  %t.91 = shufflevector <8 x i32> %t.90, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.92 = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %t.89, <8 x i32> %t.91)
  %t.93 = zext <8 x i32> %t.92 to <8 x i64>
  %places.94 = getelementptr inbounds float, ptr %buffer0, <8 x i64> %t.93
  %x.95 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places.94, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> poison)
  %t.96 = fmul contract <8 x float> %x.95, %x.95
  %t.97 = fsub contract <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>, %t.96
  %t.98 = insertelement <8 x float> poison, float %param2, i32 0
  %t.99 = shufflevector <8 x float> %t.98, <8 x float> poison, <8 x i32> zeroinitializer
  %t.100 = fsub contract <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>, %t.99
  %t.101 = fmul contract <8 x float> %t.96, %t.100
  %t.102 = fmul contract <8 x float> %t.97, %t.99
  %t.103 = fadd contract <8 x float> %t.101, %t.102
  %t.104 = insertelement <8 x float> poison, float %param2, i32 0
  %t.105 = shufflevector <8 x float> %t.104, <8 x float> poison, <8 x i32> zeroinitializer
  %t.106 = fmul contract <8 x float> %t.96, %t.105
  %t.107 = select i1 %param4, <8 x float> %t.103, <8 x float> %t.106
  %t.108 = sext i32 %workgroup_id.19 to i64
  %index.109 = mul i64 %t.108, 64
  %index.110 = add i64 %index.109, %local_x.35
  %t.111 = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %t.107, <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>)
  %t.112 = call <8 x float> @llvm.minnum.v8f32(<8 x float> %t.111, <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>)
  %t.113 = select i1 %param5, <8 x float> %t.112, <8 x float> %t.107
  %place.114 = getelementptr inbounds float, ptr %buffer1, i64 %index.110
  store <8 x float> %t.113, ptr %place.114, align 32 ; may stream
  br label %local_x_next.33
local_x_next.33:
  %local_x.35.next = add nsw i64 %local_x.35, 8
  br label %local_x_head.31
local_x_end.34:
  %t.117 = icmp sgt i64 %t.30, 0
  br i1 %t.117, label %last_gang.116, label %row_end.115
last_gang.116:
  %t.118 = insertelement <8 x i64> poison, i64 %t.30, i32 0
  %t.119 = shufflevector <8 x i64> %t.118, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask.120 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %t.119
  %t.121 = mul nsw i32 %workgroup_id.19, 64
  %local_id.122 = trunc i64 %t.29 to i32
  %t.123 = insertelement <8 x i32> poison, i32 %local_id.122, i32 0
  %t.124 = shufflevector <8 x i32> %t.123, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.125 = add nsw <8 x i32> %t.124, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.126 = insertelement <8 x i32> poison, i32 %t.121, i32 0
  %t.127 = shufflevector <8 x i32> %t.126, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.128 = add nsw <8 x i32> %t.127, %t.125
  %t.129 = sext i32 %workgroup_id.19 to i64
  %index.130 = mul i64 %t.129, 64
  %index.131 = add i64 %index.130, %t.29
  %t.132 = zext i32 %param6 to i64
  %t.133 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.134 = shufflevector <8 x i32> %t.133, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.135 = add <8 x i32> %t.128, %t.134
  %t.136 = sub nsw i32 %param0, 1
  %t.137 = insertelement <8 x i32> poison, i32 %t.136, i32 0
  %t.138 = shufflevector <8 x i32> %t.137, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.139 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.135, <8 x i32> %t.138)
  %t.140 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.141 = shufflevector <8 x i32> %t.140, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.142 = add <8 x i32> %t.128, %t.141
  %t.143 = sub nsw i32 %param0, 1
  %t.144 = insertelement <8 x i32> poison, i32 %t.143, i32 0
  %t.145 = shufflevector <8 x i32> %t.144, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.146 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.142, <8 x i32> %t.145)
  %t.147 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.148 = shufflevector <8 x i32> %t.147, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.149 = add <8 x i32> %t.128, %t.148
  %t.150 = sub nsw i32 %param0, 1
  %t.151 = insertelement <8 x i32> poison, i32 %t.150, i32 0
  %t.152 = shufflevector <8 x i32> %t.151, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.153 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.149, <8 x i32> %t.152)
  %t.154 = insertelement <8 x i32> poison, i32 %param6, i32 0
  %t.155 = shufflevector <8 x i32> %t.154, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.156 = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %t.153, <8 x i32> %t.155)
  %t.157 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.158 = shufflevector <8 x i32> %t.157, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.159 = add <8 x i32> %t.128, %t.158
  %t.160 = sub nsw i32 %param0, 1
  %t.161 = insertelement <8 x i32> poison, i32 %t.160, i32 0
  %t.162 = shufflevector <8 x i32> %t.161, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.163 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.159, <8 x i32> %t.162)
  %t.164 = insertelement <8 x i32> poison, i32 %param6, i32 0
  %t.165 = shufflevector <8 x i32> %t.164, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.166 = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %t.163, <8 x i32> %t.165)
  %t.167 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.168 = shufflevector <8 x i32> %t.167, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.169 = add <8 x i32> %t.128, %t.168
  %t.170 = sub nsw i32 %param0, 1
  %t.171 = insertelement <8 x i32> poison, i32 %t.170, i32 0
  %t.172 = shufflevector <8 x i32> %t.171, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.173 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.169, <8 x i32> %t.172)
  %t.174 = insertelement <8 x i32> poison, i32 %param6, i32 0
  %t.175 = shufflevector <8 x i32> %t.174, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.176 = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %t.173, <8 x i32> %t.175)
  %t.177 = zext <8 x i32> %t.176 to <8 x i64>
  %places.178 = getelementptr inbounds float, ptr %buffer0, <8 x i64> %t.177
  %x.179 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places.178, i32 4, <8 x i1> %mask.120, <8 x float> poison)
  %t.180 = fmul contract <8 x float> %x.179, %x.179
  %t.181 = fsub contract <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>, %t.180
  %t.182 = insertelement <8 x float> poison, float %param2, i32 0
  %t.183 = shufflevector <8 x float> %t.182, <8 x float> poison, <8 x i32> zeroinitializer
  %t.184 = fsub contract <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>, %t.183
  %t.185 = fmul contract <8 x float> %t.180, %t.184
  %t.186 = fmul contract <8 x float> %t.181, %t.183
  %t.187 = fadd contract <8 x float> %t.185, %t.186
  %t.188 = insertelement <8 x float> poison, float %param2, i32 0
  %t.189 = shufflevector <8 x float> %t.188, <8 x float> poison, <8 x i32> zeroinitializer
  %t.190 = fmul contract <8 x float> %t.180, %t.189
  %t.191 = select i1 %param4, <8 x float> %t.187, <8 x float> %t.190
  %t.192 = sext i32 %workgroup_id.19 to i64
  %index.193 = mul i64 %t.192, 64
  %index.194 = add i64 %index.193, %t.29
  %t.195 = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %t.191, <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>)
  %t.196 = call <8 x float> @llvm.minnum.v8f32(<8 x float> %t.195, <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>)
  %t.197 = select i1 %param5, <8 x float> %t.196, <8 x float> %t.191
  %place.198 = getelementptr inbounds float, ptr %buffer1, i64 %index.194
  call void @llvm.masked.store.v8f32.p0(<8 x float> %t.197, ptr %place.198, i32 4, <8 x i1> %mask.120)
  br label %row_end.115
row_end.115:
  %t.199 = zext i1 true to i32
  %t.200 = add nuw i32 %workgroup_id.19, %t.199
  %t.201 = icmp eq i32 %t.200, %gx
  %t.202 = select i1 %t.201, i32 0, i32 %t.200
  store i32 %t.202, ptr %workgroup_id.7
  %t.203 = zext i1 %t.201 to i32
  %t.204 = add nuw i32 %workgroup_id.20, %t.203
  %t.205 = icmp eq i32 %t.204, %gy
  %t.206 = select i1 %t.205, i32 0, i32 %t.204
  store i32 %t.206, ptr %workgroup_id.9
  %t.207 = zext i1 %t.205 to i32
  %t.208 = add nuw i32 %workgroup_id.21, %t.207
  %t.209 = icmp eq i32 %t.208, %gz
  %t.210 = select i1 %t.209, i32 0, i32 %t.208
  store i32 %t.210, ptr %workgroup_id.11
  br label %workgroup_next.15
workgroup_next.15:
  %workgroup.17.next = add nsw i64 %workgroup.17, 1
  br label %workgroup_head.13
workgroup_end.16:
  ret void
}

declare <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr>, i32, <8 x i1>, <8 x float>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)
declare <8 x float> @llvm.maxnum.v8f32(<8 x float>, <8 x float>)
declare <8 x float> @llvm.minnum.v8f32(<8 x float>, <8 x float>)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare <8 x i32> @llvm.smin.v8i32(<8 x i32>, <8 x i32>)
declare <8 x i32> @llvm.umin.v8i32(<8 x i32>, <8 x i32>)
