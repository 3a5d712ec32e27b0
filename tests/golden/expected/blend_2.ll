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
  %t.83 = sext i32 %workgroup_id.19 to i64
  %index.84 = mul i64 %t.83, 64
  %index.85 = add i64 %index.84, 63
  %index.86 = add i64 %index.84, %local_x.35
  %index.87 = add i64 %index.84, %local_x.35
  %t.88 = sext i32 %param3 to i64
  %index.89 = add i64 %index.84, %t.88
  %index.90 = add i64 %index.85, %t.88
  %index.91 = add i64 %index.86, %t.88
  %index.92 = add i64 %index.87, %t.88
  %t.93 = sext i32 %param0 to i64
  %index.94 = sub i64 %t.93, 1
  %t.95 = icmp sle i64 %index.90, %index.94
  %t.96 = icmp sge i64 %index.89, 0
  %t.97 = zext i32 %param6 to i64
  %t.98 = icmp sle i64 %index.90, %t.97
  %t.99 = and i1 %t.95, %t.96
  %t.100 = and i1 %t.99, %t.98
  br i1 %t.100, label %in_range.101, label %clamped.102
in_range.101:
  %place.104 = getelementptr inbounds float, ptr %buffer0, i64 %index.91
  %x.105 = load <8 x float>, ptr %place.104, align 4
  br label %loaded.103
clamped.102:
  %t.106 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.107 = shufflevector <8 x i32> %t.106, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.108 = add <8 x i32> %t.44, %t.107
  %t.109 = sub nsw i32 %param0, 1
  %t.110 = insertelement <8 x i32> poison, i32 %t.109, i32 0
  %t.111 = shufflevector <8 x i32> %t.110, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.112 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.108, <8 x i32> %t.111)
  %t.113 = insertelement <8 x i32> poison, i32 %param6, i32 0
  %t.114 = shufflevector <8 x i32> %t.113, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.115 = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %t.112, <8 x i32> %t.114)
  %t.116 = zext <8 x i32> %t.115 to <8 x i64>
  %places.117 = getelementptr inbounds float, ptr %buffer0, <8 x i64> %t.116
  %x.118 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places.117, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> poison)
  br label %loaded.103
loaded.103:
  %x.119 = phi <8 x float> [ %x.105, %in_range.101 ], [ %x.118, %clamped.102 ]
  %t.120 = fmul contract <8 x float> %x.119, %x.119
  %t.121 = fsub contract <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>, %t.120
  %t.122 = insertelement <8 x float> poison, float %param2, i32 0
  %t.123 = shufflevector <8 x float> %t.122, <8 x float> poison, <8 x i32> zeroinitializer
  %t.124 = fsub contract <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>, %t.123
  %t.125 = fmul contract <8 x float> %t.120, %t.124
  %t.126 = fmul contract <8 x float> %t.121, %t.123
  %t.127 = fadd contract <8 x float> %t.125, %t.126
  %t.128 = insertelement <8 x float> poison, float %param2, i32 0
  %t.129 = shufflevector <8 x float> %t.128, <8 x float> poison, <8 x i32> zeroinitializer
  %t.130 = fmul contract <8 x float> %t.120, %t.129
  %t.131 = select i1 %param4, <8 x float> %t.127, <8 x float> %t.130
  %t.132 = sext i32 %workgroup_id.19 to i64
  %index.133 = mul i64 %t.132, 64
  %index.134 = add i64 %index.133, %local_x.35
  %t.135 = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %t.131, <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>)
  %t.136 = call <8 x float> @llvm.minnum.v8f32(<8 x float> %t.135, <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>)
  %t.137 = select i1 %param5, <8 x float> %t.136, <8 x float> %t.131
  %place.138 = getelementptr inbounds float, ptr %buffer1, i64 %index.134
  store <8 x float> %t.137, ptr %place.138, align 32 ; may stream
  br label %local_x_next.33
local_x_next.33:
  %local_x.35.next = add nsw i64 %local_x.35, 8
  br label %local_x_head.31
local_x_end.34:
  %t.141 = icmp sgt i64 %t.30, 0
  br i1 %t.141, label %last_gang.140, label %row_end.139
last_gang.140:
  %t.142 = insertelement <8 x i64> poison, i64 %t.30, i32 0
  %t.143 = shufflevector <8 x i64> %t.142, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask.144 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %t.143
  %t.145 = mul nsw i32 %workgroup_id.19, 64
  %local_id.146 = trunc i64 %t.29 to i32
  %t.147 = insertelement <8 x i32> poison, i32 %local_id.146, i32 0
  %t.148 = shufflevector <8 x i32> %t.147, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.149 = add nsw <8 x i32> %t.148, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.150 = insertelement <8 x i32> poison, i32 %t.145, i32 0
  %t.151 = shufflevector <8 x i32> %t.150, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.152 = add nsw <8 x i32> %t.151, %t.149
  %t.153 = sext i32 %workgroup_id.19 to i64
  %index.154 = mul i64 %t.153, 64
  %index.155 = add i64 %index.154, %t.29
  %t.156 = zext i32 %param6 to i64
  %t.157 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.158 = shufflevector <8 x i32> %t.157, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.159 = add <8 x i32> %t.152, %t.158
  %t.160 = sub nsw i32 %param0, 1
  %t.161 = insertelement <8 x i32> poison, i32 %t.160, i32 0
  %t.162 = shufflevector <8 x i32> %t.161, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.163 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.159, <8 x i32> %t.162)
  %t.164 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.165 = shufflevector <8 x i32> %t.164, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.166 = add <8 x i32> %t.152, %t.165
  %t.167 = sub nsw i32 %param0, 1
  %t.168 = insertelement <8 x i32> poison, i32 %t.167, i32 0
  %t.169 = shufflevector <8 x i32> %t.168, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.170 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.166, <8 x i32> %t.169)
  %t.171 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.172 = shufflevector <8 x i32> %t.171, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.173 = add <8 x i32> %t.152, %t.172
  %t.174 = sub nsw i32 %param0, 1
  %t.175 = insertelement <8 x i32> poison, i32 %t.174, i32 0
  %t.176 = shufflevector <8 x i32> %t.175, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.177 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.173, <8 x i32> %t.176)
  %t.178 = insertelement <8 x i32> poison, i32 %param6, i32 0
  %t.179 = shufflevector <8 x i32> %t.178, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.180 = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %t.177, <8 x i32> %t.179)
  %t.181 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.182 = shufflevector <8 x i32> %t.181, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.183 = add <8 x i32> %t.152, %t.182
  %t.184 = sub nsw i32 %param0, 1
  %t.185 = insertelement <8 x i32> poison, i32 %t.184, i32 0
  %t.186 = shufflevector <8 x i32> %t.185, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.187 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.183, <8 x i32> %t.186)
  %t.188 = insertelement <8 x i32> poison, i32 %param6, i32 0
  %t.189 = shufflevector <8 x i32> %t.188, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.190 = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %t.187, <8 x i32> %t.189)
  %t.191 = sext i32 %workgroup_id.19 to i64
  %index.192 = mul i64 %t.191, 64
  %index.193 = add i64 %index.192, 63
  %index.194 = add i64 %index.192, %t.29
  %index.195 = add i64 %index.192, %t.29
  %t.196 = sext i32 %param3 to i64
  %index.197 = add i64 %index.192, %t.196
  %index.198 = add i64 %index.193, %t.196
  %index.199 = add i64 %index.194, %t.196
  %index.200 = add i64 %index.195, %t.196
  %t.201 = sext i32 %param0 to i64
  %index.202 = sub i64 %t.201, 1
  %t.203 = icmp sle i64 %index.198, %index.202
  %t.204 = icmp sge i64 %index.197, 0
  %t.205 = zext i32 %param6 to i64
  %t.206 = icmp sle i64 %index.198, %t.205
  %t.207 = and i1 %t.203, %t.204
  %t.208 = and i1 %t.207, %t.206
  br i1 %t.208, label %in_range.209, label %clamped.210
in_range.209:
  %place.212 = getelementptr inbounds float, ptr %buffer0, i64 %index.199
  %x.213 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %place.212, i32 4, <8 x i1> %mask.144, <8 x float> poison)
  br label %loaded.211
clamped.210:
  %t.214 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.215 = shufflevector <8 x i32> %t.214, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.216 = add <8 x i32> %t.152, %t.215
  %t.217 = sub nsw i32 %param0, 1
  %t.218 = insertelement <8 x i32> poison, i32 %t.217, i32 0
  %t.219 = shufflevector <8 x i32> %t.218, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.220 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.216, <8 x i32> %t.219)
  %t.221 = insertelement <8 x i32> poison, i32 %param6, i32 0
  %t.222 = shufflevector <8 x i32> %t.221, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.223 = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %t.220, <8 x i32> %t.222)
  %t.224 = zext <8 x i32> %t.223 to <8 x i64>
  %places.225 = getelementptr inbounds float, ptr %buffer0, <8 x i64> %t.224
  %x.226 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places.225, i32 4, <8 x i1> %mask.144, <8 x float> poison)
  br label %loaded.211
loaded.211:
  %x.227 = phi <8 x float> [ %x.213, %in_range.209 ], [ %x.226, %clamped.210 ]
  %t.228 = fmul contract <8 x float> %x.227, %x.227
  %t.229 = fsub contract <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>, %t.228
  %t.230 = insertelement <8 x float> poison, float %param2, i32 0
  %t.231 = shufflevector <8 x float> %t.230, <8 x float> poison, <8 x i32> zeroinitializer
  %t.232 = fsub contract <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>, %t.231
  %t.233 = fmul contract <8 x float> %t.228, %t.232
  %t.234 = fmul contract <8 x float> %t.229, %t.231
  %t.235 = fadd contract <8 x float> %t.233, %t.234
  %t.236 = insertelement <8 x float> poison, float %param2, i32 0
  %t.237 = shufflevector <8 x float> %t.236, <8 x float> poison, <8 x i32> zeroinitializer
  %t.238 = fmul contract <8 x float> %t.228, %t.237
  %t.239 = select i1 %param4, <8 x float> %t.235, <8 x float> %t.238
  %t.240 = sext i32 %workgroup_id.19 to i64
  %index.241 = mul i64 %t.240, 64
  %index.242 = add i64 %index.241, %t.29
  %t.243 = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %t.239, <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>)
  %t.244 = call <8 x float> @llvm.minnum.v8f32(<8 x float> %t.243, <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>)
  %t.245 = select i1 %param5, <8 x float> %t.244, <8 x float> %t.239
  %place.246 = getelementptr inbounds float, ptr %buffer1, i64 %index.242
  call void @llvm.masked.store.v8f32.p0(<8 x float> %t.245, ptr %place.246, i32 4, <8 x i1> %mask.144)
  br label %row_end.139
row_end.139:
  %t.247 = zext i1 true to i32
  %t.248 = add nuw i32 %workgroup_id.19, %t.247
  %t.249 = icmp eq i32 %t.248, %gx
  %t.250 = select i1 %t.249, i32 0, i32 %t.248
  store i32 %t.250, ptr %workgroup_id.7
  %t.251 = zext i1 %t.249 to i32
  %t.252 = add nuw i32 %workgroup_id.20, %t.251
  %t.253 = icmp eq i32 %t.252, %gy
  %t.254 = select i1 %t.253, i32 0, i32 %t.252
  store i32 %t.254, ptr %workgroup_id.9
  %t.255 = zext i1 %t.253 to i32
  %t.256 = add nuw i32 %workgroup_id.21, %t.255
  %t.257 = icmp eq i32 %t.256, %gz
  %t.258 = select i1 %t.257, i32 0, i32 %t.256
  store i32 %t.258, ptr %workgroup_id.11
  br label %workgroup_next.15
workgroup_next.15:
  %workgroup.17.next = add nsw i64 %workgroup.17, 1
  br label %workgroup_head.13
workgroup_end.16:
  ret void
}

declare <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr>, i32, <8 x i1>, <8 x float>)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)
declare <8 x float> @llvm.maxnum.v8f32(<8 x float>, <8 x float>)
declare <8 x float> @llvm.minnum.v8f32(<8 x float>, <8 x float>)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare <8 x i32> @llvm.smin.v8i32(<8 x i32>, <8 x i32>)
declare <8 x i32> @llvm.umin.v8i32(<8 x i32>, <8 x i32>)
