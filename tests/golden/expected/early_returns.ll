; kernel early_returns
@gpucore_scratch_nbytes = constant i64 0

define void @gpucore_entry(ptr %buffers, ptr %scalars, ptr %scratch, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) nounwind {
entry:
  %t.1 = getelementptr ptr, ptr %buffers, i64 0
  %x.2 = load ptr, ptr %t.1
  %t.3 = getelementptr ptr, ptr %buffers, i64 1
  %classes.4 = load ptr, ptr %t.3
  %t.5 = getelementptr i8, ptr %scalars, i64 0
  %x_shape_0_.6 = load i32, ptr %t.5
  %t.7 = getelementptr i8, ptr %scalars, i64 4
  %low.8 = load float, ptr %t.7
  %t.9 = getelementptr i8, ptr %scalars, i64 8
  %high.10 = load float, ptr %t.9
  call void @gpucore_workgroups(ptr %x.2, ptr %classes.4, i32 %x_shape_0_.6, float %low.8, float %high.10, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last)
  ret void
}

define internal void @gpucore_workgroups(ptr noalias nonnull align 64 %buffer0, ptr noalias nonnull align 64 %buffer1, i32 %param0, float %param1, float %param2, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) noinline nounwind {
entry:
  %workgroup_id.7 = alloca i32, align 4
  %workgroup_id.9 = alloca i32, align 4
  %workgroup_id.11 = alloca i32, align 4
  %classify_return_taken.69 = alloca <8 x i1>, align 8
  %classify_result.70 = alloca <8 x i32>, align 32
  %k.86 = alloca i32, align 4
  %live.90 = alloca <8 x i1>, align 8
  %running.91 = alloca <8 x i1>, align 8
  %classify_return_taken.182 = alloca <8 x i1>, align 8
  %classify_result.183 = alloca <8 x i32>, align 32
  %k.199 = alloca i32, align 4
  %live.203 = alloca <8 x i1>, align 8
  %running.204 = alloca <8 x i1>, align 8
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
  %t.53 = fcmp uno <8 x float> %x.52, %x.52
  %t.55 = sext i32 %workgroup_id.19 to i64
  %index.56 = mul i64 %t.55, 64
  %index.57 = add i64 %index.56, %local_x.35
  %place.58 = getelementptr i32, ptr %buffer1, i64 %index.57
  call void @llvm.masked.store.v8i32.p0(<8 x i32> <i32 -2, i32 -2, i32 -2, i32 -2, i32 -2, i32 -2, i32 -2, i32 -2>, ptr %place.58, i32 4, <8 x i1> %t.53)
  %t.59 = xor <8 x i1> %t.53, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.62 = bitcast <8 x i1> %t.59 to i8
  %t.63 = icmp ne i8 %t.62, 0
  br i1 %t.63, label %lanes.60, label %endlanes.61
lanes.60:
  %t.64 = sext i32 %workgroup_id.19 to i64
  %index.65 = mul i64 %t.64, 64
  %index.66 = add i64 %index.65, %local_x.35
  %place.67 = getelementptr float, ptr %buffer0, i64 %index.66
  %x.68 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %place.67, i32 4, <8 x i1> %t.59, <8 x float> poison)
  store <8 x i1> <i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, ptr %classify_return_taken.69
  store <8 x i32> undef, ptr %classify_result.70
  %t.71 = insertelement <8 x float> poison, float %param1, i32 0
  %t.72 = shufflevector <8 x float> %t.71, <8 x float> poison, <8 x i32> zeroinitializer
  %t.73 = fcmp olt <8 x float> %x.68, %t.72
  %t.75 = select <8 x i1> %t.59, <8 x i1> %t.73, <8 x i1> zeroinitializer
  %classify_result.76 = load <8 x i32>, ptr %classify_result.70
  %t.77 = select <8 x i1> %t.75, <8 x i32> <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>, <8 x i32> %classify_result.76
  store <8 x i32> %t.77, ptr %classify_result.70
  %classify_return_taken.78 = load <8 x i1>, ptr %classify_return_taken.69
  %t.79 = select <8 x i1> %t.75, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x i1> %classify_return_taken.78
  store <8 x i1> %t.79, ptr %classify_return_taken.69
  %t.80 = xor <8 x i1> %t.73, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.81 = select <8 x i1> %t.59, <8 x i1> %t.80, <8 x i1> zeroinitializer
  %t.84 = bitcast <8 x i1> %t.81 to i8
  %t.85 = icmp ne i8 %t.84, 0
  br i1 %t.85, label %lanes.82, label %endlanes.83
lanes.82:
  store i32 0, ptr %k.86
  store <8 x i1> %t.81, ptr %live.90
  br label %k_head.87
k_head.87:
  %k.92 = load i32, ptr %k.86
  %t.93 = icmp slt i32 %k.92, 3
  br i1 %t.93, label %going.94, label %k_end.89
going.94:
  %live.95 = load <8 x i1>, ptr %live.90
  store <8 x i1> %live.95, ptr %running.91
  %t.97 = bitcast <8 x i1> %live.95 to i8
  %t.98 = icmp ne i8 %t.97, 0
  br i1 %t.98, label %iteration.96, label %k_end.89
iteration.96:
  %t.99 = add nsw i32 %k.92, 1
  %t.100 = sitofp i32 %t.99 to float
  %t.101 = fmul contract float %param2, %t.100
  %t.102 = insertelement <8 x float> poison, float %t.101, i32 0
  %t.103 = shufflevector <8 x float> %t.102, <8 x float> poison, <8 x i32> zeroinitializer
  %t.104 = fcmp ogt <8 x float> %x.68, %t.103
  %t.106 = select <8 x i1> %live.95, <8 x i1> %t.104, <8 x i1> zeroinitializer
  %t.109 = bitcast <8 x i1> %t.106 to i8
  %t.110 = icmp ne i8 %t.109, 0
  br i1 %t.110, label %lanes.107, label %endlanes.108
lanes.107:
  %classify_result.111 = load <8 x i32>, ptr %classify_result.70
  %t.112 = insertelement <8 x i32> poison, i32 %k.92, i32 0
  %t.113 = shufflevector <8 x i32> %t.112, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.114 = select <8 x i1> %t.106, <8 x i32> %t.113, <8 x i32> %classify_result.111
  store <8 x i32> %t.114, ptr %classify_result.70
  %classify_return_taken.115 = load <8 x i1>, ptr %classify_return_taken.69
  %t.116 = select <8 x i1> %t.106, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x i1> %classify_return_taken.115
  store <8 x i1> %t.116, ptr %classify_return_taken.69
  %t.117 = load <8 x i1>, ptr %live.90
  %t.118 = xor <8 x i1> %t.106, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.119 = select <8 x i1> %t.117, <8 x i1> %t.118, <8 x i1> zeroinitializer
  store <8 x i1> %t.119, ptr %live.90
  %t.120 = load <8 x i1>, ptr %running.91
  %t.121 = xor <8 x i1> %t.106, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.122 = select <8 x i1> %t.120, <8 x i1> %t.121, <8 x i1> zeroinitializer
  store <8 x i1> %t.122, ptr %running.91
  br label %endlanes.108
endlanes.108:
  %running.123 = load <8 x i1>, ptr %running.91
  %t.124 = select <8 x i1> %live.95, <8 x i1> %running.123, <8 x i1> zeroinitializer
  %t.126 = bitcast <8 x i1> %t.124 to i8
  %t.127 = icmp ne i8 %t.126, 0
  br i1 %t.127, label %rest.125, label %k_next.88
rest.125:
  br label %k_next.88
k_next.88:
  %t.128 = add i32 %k.92, 1
  store i32 %t.128, ptr %k.86
  br label %k_head.87
k_end.89:
  %classify_return_taken.129 = load <8 x i1>, ptr %classify_return_taken.69
  %t.130 = xor <8 x i1> %classify_return_taken.129, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.132 = select <8 x i1> %t.81, <8 x i1> %t.130, <8 x i1> zeroinitializer
  %classify_result.133 = load <8 x i32>, ptr %classify_result.70
  %t.134 = select <8 x i1> %t.132, <8 x i32> <i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7>, <8 x i32> %classify_result.133
  store <8 x i32> %t.134, ptr %classify_result.70
  %classify_return_taken.135 = load <8 x i1>, ptr %classify_return_taken.69
  %t.136 = select <8 x i1> %t.132, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x i1> %classify_return_taken.135
  store <8 x i1> %t.136, ptr %classify_return_taken.69
  br label %endlanes.83
endlanes.83:
  %t.137 = sext i32 %workgroup_id.19 to i64
  %index.138 = mul i64 %t.137, 64
  %index.139 = add i64 %index.138, %local_x.35
  %classify_result.140 = load <8 x i32>, ptr %classify_result.70
  %place.141 = getelementptr i32, ptr %buffer1, i64 %index.139
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %classify_result.140, ptr %place.141, i32 4, <8 x i1> %t.59)
  br label %endlanes.61
endlanes.61:
  br label %local_x_next.33
local_x_next.33:
  %local_x.35.next = add nsw i64 %local_x.35, 8
  br label %local_x_head.31
local_x_end.34:
  %t.144 = icmp sgt i64 %t.30, 0
  br i1 %t.144, label %last_gang.143, label %row_end.142
last_gang.143:
  %t.145 = insertelement <8 x i64> poison, i64 %t.30, i32 0
  %t.146 = shufflevector <8 x i64> %t.145, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask.147 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %t.146
  %t.148 = mul nsw i32 %workgroup_id.19, 64
  %local_id.149 = trunc i64 %t.29 to i32
  %t.150 = insertelement <8 x i32> poison, i32 %local_id.149, i32 0
  %t.151 = shufflevector <8 x i32> %t.150, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.152 = add nsw <8 x i32> %t.151, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.153 = insertelement <8 x i32> poison, i32 %t.148, i32 0
  %t.154 = shufflevector <8 x i32> %t.153, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.155 = add nsw <8 x i32> %t.154, %t.152
  %t.156 = sext i32 %workgroup_id.19 to i64
  %index.157 = mul i64 %t.156, 64
  %index.158 = add i64 %index.157, %t.29
  %t.159 = sext i32 %workgroup_id.19 to i64
  %index.160 = mul i64 %t.159, 64
  %index.161 = add i64 %index.160, %t.29
  %place.162 = getelementptr float, ptr %buffer0, i64 %index.161
  %x.163 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %place.162, i32 4, <8 x i1> %mask.147, <8 x float> poison)
  %t.164 = fcmp uno <8 x float> %x.163, %x.163
  %t.166 = select <8 x i1> %mask.147, <8 x i1> %t.164, <8 x i1> zeroinitializer
  %t.167 = sext i32 %workgroup_id.19 to i64
  %index.168 = mul i64 %t.167, 64
  %index.169 = add i64 %index.168, %t.29
  %place.170 = getelementptr i32, ptr %buffer1, i64 %index.169
  call void @llvm.masked.store.v8i32.p0(<8 x i32> <i32 -2, i32 -2, i32 -2, i32 -2, i32 -2, i32 -2, i32 -2, i32 -2>, ptr %place.170, i32 4, <8 x i1> %t.166)
  %t.171 = xor <8 x i1> %t.164, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.172 = select <8 x i1> %mask.147, <8 x i1> %t.171, <8 x i1> zeroinitializer
  %t.175 = bitcast <8 x i1> %t.172 to i8
  %t.176 = icmp ne i8 %t.175, 0
  br i1 %t.176, label %lanes.173, label %endlanes.174
lanes.173:
  %t.177 = sext i32 %workgroup_id.19 to i64
  %index.178 = mul i64 %t.177, 64
  %index.179 = add i64 %index.178, %t.29
  %place.180 = getelementptr float, ptr %buffer0, i64 %index.179
  %x.181 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %place.180, i32 4, <8 x i1> %t.172, <8 x float> poison)
  store <8 x i1> <i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, ptr %classify_return_taken.182
  store <8 x i32> undef, ptr %classify_result.183
  %t.184 = insertelement <8 x float> poison, float %param1, i32 0
  %t.185 = shufflevector <8 x float> %t.184, <8 x float> poison, <8 x i32> zeroinitializer
  %t.186 = fcmp olt <8 x float> %x.181, %t.185
  %t.188 = select <8 x i1> %t.172, <8 x i1> %t.186, <8 x i1> zeroinitializer
  %classify_result.189 = load <8 x i32>, ptr %classify_result.183
  %t.190 = select <8 x i1> %t.188, <8 x i32> <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>, <8 x i32> %classify_result.189
  store <8 x i32> %t.190, ptr %classify_result.183
  %classify_return_taken.191 = load <8 x i1>, ptr %classify_return_taken.182
  %t.192 = select <8 x i1> %t.188, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x i1> %classify_return_taken.191
  store <8 x i1> %t.192, ptr %classify_return_taken.182
  %t.193 = xor <8 x i1> %t.186, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.194 = select <8 x i1> %t.172, <8 x i1> %t.193, <8 x i1> zeroinitializer
  %t.197 = bitcast <8 x i1> %t.194 to i8
  %t.198 = icmp ne i8 %t.197, 0
  br i1 %t.198, label %lanes.195, label %endlanes.196
lanes.195:
  store i32 0, ptr %k.199
  store <8 x i1> %t.194, ptr %live.203
  br label %k_head.200
k_head.200:
  %k.205 = load i32, ptr %k.199
  %t.206 = icmp slt i32 %k.205, 3
  br i1 %t.206, label %going.207, label %k_end.202
going.207:
  %live.208 = load <8 x i1>, ptr %live.203
  store <8 x i1> %live.208, ptr %running.204
  %t.210 = bitcast <8 x i1> %live.208 to i8
  %t.211 = icmp ne i8 %t.210, 0
  br i1 %t.211, label %iteration.209, label %k_end.202
iteration.209:
  %t.212 = add nsw i32 %k.205, 1
  %t.213 = sitofp i32 %t.212 to float
  %t.214 = fmul contract float %param2, %t.213
  %t.215 = insertelement <8 x float> poison, float %t.214, i32 0
  %t.216 = shufflevector <8 x float> %t.215, <8 x float> poison, <8 x i32> zeroinitializer
  %t.217 = fcmp ogt <8 x float> %x.181, %t.216
  %t.219 = select <8 x i1> %live.208, <8 x i1> %t.217, <8 x i1> zeroinitializer
  %t.222 = bitcast <8 x i1> %t.219 to i8
  %t.223 = icmp ne i8 %t.222, 0
  br i1 %t.223, label %lanes.220, label %endlanes.221
lanes.220:
  %classify_result.224 = load <8 x i32>, ptr %classify_result.183
  %t.225 = insertelement <8 x i32> poison, i32 %k.205, i32 0
  %t.226 = shufflevector <8 x i32> %t.225, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.227 = select <8 x i1> %t.219, <8 x i32> %t.226, <8 x i32> %classify_result.224
  store <8 x i32> %t.227, ptr %classify_result.183
  %classify_return_taken.228 = load <8 x i1>, ptr %classify_return_taken.182
  %t.229 = select <8 x i1> %t.219, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x i1> %classify_return_taken.228
  store <8 x i1> %t.229, ptr %classify_return_taken.182
  %t.230 = load <8 x i1>, ptr %live.203
  %t.231 = xor <8 x i1> %t.219, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.232 = select <8 x i1> %t.230, <8 x i1> %t.231, <8 x i1> zeroinitializer
  store <8 x i1> %t.232, ptr %live.203
  %t.233 = load <8 x i1>, ptr %running.204
  %t.234 = xor <8 x i1> %t.219, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.235 = select <8 x i1> %t.233, <8 x i1> %t.234, <8 x i1> zeroinitializer
  store <8 x i1> %t.235, ptr %running.204
  br label %endlanes.221
endlanes.221:
  %running.236 = load <8 x i1>, ptr %running.204
  %t.237 = select <8 x i1> %live.208, <8 x i1> %running.236, <8 x i1> zeroinitializer
  %t.239 = bitcast <8 x i1> %t.237 to i8
  %t.240 = icmp ne i8 %t.239, 0
  br i1 %t.240, label %rest.238, label %k_next.201
rest.238:
  br label %k_next.201
k_next.201:
  %t.241 = add i32 %k.205, 1
  store i32 %t.241, ptr %k.199
  br label %k_head.200
k_end.202:
  %classify_return_taken.242 = load <8 x i1>, ptr %classify_return_taken.182
  %t.243 = xor <8 x i1> %classify_return_taken.242, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.245 = select <8 x i1> %t.194, <8 x i1> %t.243, <8 x i1> zeroinitializer
  %classify_result.246 = load <8 x i32>, ptr %classify_result.183
  %t.247 = select <8 x i1> %t.245, <8 x i32> <i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7>, <8 x i32> %classify_result.246
  store <8 x i32> %t.247, ptr %classify_result.183
  %classify_return_taken.248 = load <8 x i1>, ptr %classify_return_taken.182
  %t.249 = select <8 x i1> %t.245, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x i1> %classify_return_taken.248
  store <8 x i1> %t.249, ptr %classify_return_taken.182
  br label %endlanes.196
endlanes.196:
  %t.250 = sext i32 %workgroup_id.19 to i64
  %index.251 = mul i64 %t.250, 64
  %index.252 = add i64 %index.251, %t.29
  %classify_result.253 = load <8 x i32>, ptr %classify_result.183
  %place.254 = getelementptr i32, ptr %buffer1, i64 %index.252
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %classify_result.253, ptr %place.254, i32 4, <8 x i1> %t.172)
  br label %endlanes.174
endlanes.174:
  br label %row_end.142
row_end.142:
  %t.255 = zext i1 true to i32
  %t.256 = add nuw i32 %workgroup_id.19, %t.255
  %t.257 = icmp eq i32 %t.256, %gx
  %t.258 = select i1 %t.257, i32 0, i32 %t.256
  store i32 %t.258, ptr %workgroup_id.7
  %t.259 = zext i1 %t.257 to i32
  %t.260 = add nuw i32 %workgroup_id.20, %t.259
  %t.261 = icmp eq i32 %t.260, %gy
  %t.262 = select i1 %t.261, i32 0, i32 %t.260
  store i32 %t.262, ptr %workgroup_id.9
  %t.263 = zext i1 %t.261 to i32
  %t.264 = add nuw i32 %workgroup_id.21, %t.263
  %t.265 = icmp eq i32 %t.264, %gz
  %t.266 = select i1 %t.265, i32 0, i32 %t.264
  store i32 %t.266, ptr %workgroup_id.11
  br label %workgroup_next.15
workgroup_next.15:
  %workgroup.17.next = add nsw i64 %workgroup.17, 1
  br label %workgroup_head.13
workgroup_end.16:
  ret void
}

declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare void @llvm.masked.store.v8i32.p0(<8 x i32>, ptr, i32, <8 x i1>)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
