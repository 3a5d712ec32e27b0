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
  %t.95 = icmp sge i64 %index.89, -2147483648
  %t.96 = icmp sle i64 %index.90, %index.94
  %t.97 = icmp sge i64 %index.89, 0
  %t.98 = zext i32 %param6 to i64
  %t.99 = icmp sle i64 %index.90, %t.98
  %t.100 = and i1 %t.95, %t.96
  %t.101 = and i1 %t.100, %t.97
  %t.102 = and i1 %t.101, %t.99
  br i1 %t.102, label %in_range.103, label %clamped.104
in_range.103:
  %place.106 = getelementptr inbounds float, ptr %buffer0, i64 %index.91
  %x.107 = load <8 x float>, ptr %place.106, align 4
  br label %loaded.105
clamped.104:
  %t.108 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.109 = shufflevector <8 x i32> %t.108, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.110 = add <8 x i32> %t.44, %t.109
  %t.111 = sub nsw i32 %param0, 1
  %t.112 = insertelement <8 x i32> poison, i32 %t.111, i32 0
  %t.113 = shufflevector <8 x i32> %t.112, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.114 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.110, <8 x i32> %t.113)
  %t.115 = insertelement <8 x i32> poison, i32 %param6, i32 0
  %t.116 = shufflevector <8 x i32> %t.115, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.117 = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %t.114, <8 x i32> %t.116)
  %t.118 = zext <8 x i32> %t.117 to <8 x i64>
  %places.119 = getelementptr inbounds float, ptr %buffer0, <8 x i64> %t.118
  %x.120 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places.119, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> poison)
  br label %loaded.105
loaded.105:
  %x.121 = phi <8 x float> [ %x.107, %in_range.103 ], [ %x.120, %clamped.104 ]
  %t.122 = fmul contract <8 x float> %x.121, %x.121
  %t.123 = fsub contract <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>, %t.122
  %t.124 = insertelement <8 x float> poison, float %param2, i32 0
  %t.125 = shufflevector <8 x float> %t.124, <8 x float> poison, <8 x i32> zeroinitializer
  %t.126 = fsub contract <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>, %t.125
  %t.127 = fmul contract <8 x float> %t.122, %t.126
  %t.128 = fmul contract <8 x float> %t.123, %t.125
  %t.129 = fadd contract <8 x float> %t.127, %t.128
  %t.130 = insertelement <8 x float> poison, float %param2, i32 0
  %t.131 = shufflevector <8 x float> %t.130, <8 x float> poison, <8 x i32> zeroinitializer
  %t.132 = fmul contract <8 x float> %t.122, %t.131
  %t.133 = select i1 %param4, <8 x float> %t.129, <8 x float> %t.132
  %t.134 = sext i32 %workgroup_id.19 to i64
  %index.135 = mul i64 %t.134, 64
  %index.136 = add i64 %index.135, %local_x.35
  %t.137 = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %t.133, <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>)
  %t.138 = call <8 x float> @llvm.minnum.v8f32(<8 x float> %t.137, <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>)
  %t.139 = select i1 %param5, <8 x float> %t.138, <8 x float> %t.133
  %place.140 = getelementptr inbounds float, ptr %buffer1, i64 %index.136
  store <8 x float> %t.139, ptr %place.140, align 32 ; may stream
  br label %local_x_next.33
local_x_next.33:
  %local_x.35.next = add nsw i64 %local_x.35, 8
  br label %local_x_head.31
local_x_end.34:
  %t.143 = icmp sgt i64 %t.30, 0
  br i1 %t.143, label %last_gang.142, label %row_end.141
last_gang.142:
  %t.144 = insertelement <8 x i64> poison, i64 %t.30, i32 0
  %t.145 = shufflevector <8 x i64> %t.144, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask.146 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %t.145
  %t.147 = mul nsw i32 %workgroup_id.19, 64
  %local_id.148 = trunc i64 %t.29 to i32
  %t.149 = insertelement <8 x i32> poison, i32 %local_id.148, i32 0
  %t.150 = shufflevector <8 x i32> %t.149, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.151 = add nsw <8 x i32> %t.150, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.152 = insertelement <8 x i32> poison, i32 %t.147, i32 0
  %t.153 = shufflevector <8 x i32> %t.152, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.154 = add nsw <8 x i32> %t.153, %t.151
  %t.155 = sext i32 %workgroup_id.19 to i64
  %index.156 = mul i64 %t.155, 64
  %index.157 = add i64 %index.156, %t.29
  %t.158 = zext i32 %param6 to i64
  %t.159 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.160 = shufflevector <8 x i32> %t.159, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.161 = add <8 x i32> %t.154, %t.160
  %t.162 = sub nsw i32 %param0, 1
  %t.163 = insertelement <8 x i32> poison, i32 %t.162, i32 0
  %t.164 = shufflevector <8 x i32> %t.163, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.165 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.161, <8 x i32> %t.164)
  %t.166 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.167 = shufflevector <8 x i32> %t.166, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.168 = add <8 x i32> %t.154, %t.167
  %t.169 = sub nsw i32 %param0, 1
  %t.170 = insertelement <8 x i32> poison, i32 %t.169, i32 0
  %t.171 = shufflevector <8 x i32> %t.170, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.172 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.168, <8 x i32> %t.171)
  %t.173 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.174 = shufflevector <8 x i32> %t.173, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.175 = add <8 x i32> %t.154, %t.174
  %t.176 = sub nsw i32 %param0, 1
  %t.177 = insertelement <8 x i32> poison, i32 %t.176, i32 0
  %t.178 = shufflevector <8 x i32> %t.177, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.179 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.175, <8 x i32> %t.178)
  %t.180 = insertelement <8 x i32> poison, i32 %param6, i32 0
  %t.181 = shufflevector <8 x i32> %t.180, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.182 = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %t.179, <8 x i32> %t.181)
  %t.183 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.184 = shufflevector <8 x i32> %t.183, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.185 = add <8 x i32> %t.154, %t.184
  %t.186 = sub nsw i32 %param0, 1
  %t.187 = insertelement <8 x i32> poison, i32 %t.186, i32 0
  %t.188 = shufflevector <8 x i32> %t.187, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.189 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.185, <8 x i32> %t.188)
  %t.190 = insertelement <8 x i32> poison, i32 %param6, i32 0
  %t.191 = shufflevector <8 x i32> %t.190, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.192 = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %t.189, <8 x i32> %t.191)
  %t.193 = sext i32 %workgroup_id.19 to i64
  %index.194 = mul i64 %t.193, 64
  %index.195 = add i64 %index.194, 63
  %index.196 = add i64 %index.194, %t.29
  %index.197 = add i64 %index.194, %t.29
  %t.198 = sext i32 %param3 to i64
  %index.199 = add i64 %index.194, %t.198
  %index.200 = add i64 %index.195, %t.198
  %index.201 = add i64 %index.196, %t.198
  %index.202 = add i64 %index.197, %t.198
  %t.203 = sext i32 %param0 to i64
  %index.204 = sub i64 %t.203, 1
  %t.205 = icmp sge i64 %index.199, -2147483648
  %t.206 = icmp sle i64 %index.200, %index.204
  %t.207 = icmp sge i64 %index.199, 0
  %t.208 = zext i32 %param6 to i64
  %t.209 = icmp sle i64 %index.200, %t.208
  %t.210 = and i1 %t.205, %t.206
  %t.211 = and i1 %t.210, %t.207
  %t.212 = and i1 %t.211, %t.209
  br i1 %t.212, label %in_range.213, label %clamped.214
in_range.213:
  %place.216 = getelementptr float, ptr %buffer0, i64 %index.201
  %x.217 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %place.216, i32 4, <8 x i1> %mask.146, <8 x float> poison)
  br label %loaded.215
clamped.214:
  %t.218 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.219 = shufflevector <8 x i32> %t.218, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.220 = add <8 x i32> %t.154, %t.219
  %t.221 = sub nsw i32 %param0, 1
  %t.222 = insertelement <8 x i32> poison, i32 %t.221, i32 0
  %t.223 = shufflevector <8 x i32> %t.222, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.224 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.220, <8 x i32> %t.223)
  %t.225 = insertelement <8 x i32> poison, i32 %param6, i32 0
  %t.226 = shufflevector <8 x i32> %t.225, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.227 = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %t.224, <8 x i32> %t.226)
  %t.228 = zext <8 x i32> %t.227 to <8 x i64>
  %places.229 = getelementptr inbounds float, ptr %buffer0, <8 x i64> %t.228
  %x.230 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places.229, i32 4, <8 x i1> %mask.146, <8 x float> poison)
  br label %loaded.215
loaded.215:
  %x.231 = phi <8 x float> [ %x.217, %in_range.213 ], [ %x.230, %clamped.214 ]
  %t.232 = fmul contract <8 x float> %x.231, %x.231
  %t.233 = fsub contract <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>, %t.232
  %t.234 = insertelement <8 x float> poison, float %param2, i32 0
  %t.235 = shufflevector <8 x float> %t.234, <8 x float> poison, <8 x i32> zeroinitializer
  %t.236 = fsub contract <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>, %t.235
  %t.237 = fmul contract <8 x float> %t.232, %t.236
  %t.238 = fmul contract <8 x float> %t.233, %t.235
  %t.239 = fadd contract <8 x float> %t.237, %t.238
  %t.240 = insertelement <8 x float> poison, float %param2, i32 0
  %t.241 = shufflevector <8 x float> %t.240, <8 x float> poison, <8 x i32> zeroinitializer
  %t.242 = fmul contract <8 x float> %t.232, %t.241
  %t.243 = select i1 %param4, <8 x float> %t.239, <8 x float> %t.242
  %t.244 = sext i32 %workgroup_id.19 to i64
  %index.245 = mul i64 %t.244, 64
  %index.246 = add i64 %index.245, %t.29
  %t.247 = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %t.243, <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>)
  %t.248 = call <8 x float> @llvm.minnum.v8f32(<8 x float> %t.247, <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>)
  %t.249 = select i1 %param5, <8 x float> %t.248, <8 x float> %t.243
  %place.250 = getelementptr float, ptr %buffer1, i64 %index.246
  call void @llvm.masked.store.v8f32.p0(<8 x float> %t.249, ptr %place.250, i32 4, <8 x i1> %mask.146)
  br label %row_end.141
row_end.141:
  %t.251 = zext i1 true to i32
  %t.252 = add nuw i32 %workgroup_id.19, %t.251
  %t.253 = icmp eq i32 %t.252, %gx
  %t.254 = select i1 %t.253, i32 0, i32 %t.252
  store i32 %t.254, ptr %workgroup_id.7
  %t.255 = zext i1 %t.253 to i32
  %t.256 = add nuw i32 %workgroup_id.20, %t.255
  %t.257 = icmp eq i32 %t.256, %gy
  %t.258 = select i1 %t.257, i32 0, i32 %t.256
  store i32 %t.258, ptr %workgroup_id.9
  %t.259 = zext i1 %t.257 to i32
  %t.260 = add nuw i32 %workgroup_id.21, %t.259
  %t.261 = icmp eq i32 %t.260, %gz
  %t.262 = select i1 %t.261, i32 0, i32 %t.260
  store i32 %t.262, ptr %workgroup_id.11
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
