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
  %classify_return_taken.63 = alloca <8 x i1>, align 8
  %classify_result.64 = alloca <8 x i32>, align 32
  %k.80 = alloca i32, align 4
  %live.84 = alloca <8 x i1>, align 8
  %running.85 = alloca <8 x i1>, align 8
  %classify_return_taken.176 = alloca <8 x i1>, align 8
  %classify_result.177 = alloca <8 x i32>, align 32
  %k.193 = alloca i32, align 4
  %live.197 = alloca <8 x i1>, align 8
  %running.198 = alloca <8 x i1>, align 8
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
  %t.47 = fcmp uno <8 x float> %x.46, %x.46
  %t.49 = sext i32 %workgroup_id.13 to i64
  %index.50 = mul i64 %t.49, 64
  %index.51 = add i64 %index.50, %local_x.29
  %place.52 = getelementptr inbounds i32, ptr %buffer1, i64 %index.51
  call void @llvm.masked.store.v8i32.p0(<8 x i32> <i32 -2, i32 -2, i32 -2, i32 -2, i32 -2, i32 -2, i32 -2, i32 -2>, ptr %place.52, i32 4, <8 x i1> %t.47)
  %t.53 = xor <8 x i1> %t.47, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.56 = bitcast <8 x i1> %t.53 to i8
  %t.57 = icmp ne i8 %t.56, 0
  br i1 %t.57, label %lanes.54, label %endlanes.55
lanes.54:
  %t.58 = sext i32 %workgroup_id.13 to i64
  %index.59 = mul i64 %t.58, 64
  %index.60 = add i64 %index.59, %local_x.29
  %place.61 = getelementptr inbounds float, ptr %buffer0, i64 %index.60
  %x.62 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %place.61, i32 4, <8 x i1> %t.53, <8 x float> poison)
  store <8 x i1> <i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, ptr %classify_return_taken.63
  store <8 x i32> undef, ptr %classify_result.64
  %t.65 = insertelement <8 x float> poison, float %param1, i32 0
  %t.66 = shufflevector <8 x float> %t.65, <8 x float> poison, <8 x i32> zeroinitializer
  %t.67 = fcmp olt <8 x float> %x.62, %t.66
  %t.69 = and <8 x i1> %t.53, %t.67
  %classify_result.70 = load <8 x i32>, ptr %classify_result.64
  %t.71 = select <8 x i1> %t.69, <8 x i32> <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>, <8 x i32> %classify_result.70
  store <8 x i32> %t.71, ptr %classify_result.64
  %classify_return_taken.72 = load <8 x i1>, ptr %classify_return_taken.63
  %t.73 = select <8 x i1> %t.69, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x i1> %classify_return_taken.72
  store <8 x i1> %t.73, ptr %classify_return_taken.63
  %t.74 = xor <8 x i1> %t.67, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.75 = and <8 x i1> %t.53, %t.74
  %t.78 = bitcast <8 x i1> %t.75 to i8
  %t.79 = icmp ne i8 %t.78, 0
  br i1 %t.79, label %lanes.76, label %endlanes.77
lanes.76:
  store i32 0, ptr %k.80
  store <8 x i1> %t.75, ptr %live.84
  br label %k_head.81
k_head.81:
  %k.86 = load i32, ptr %k.80
  %t.87 = icmp slt i32 %k.86, 3
  br i1 %t.87, label %going.88, label %k_end.83
going.88:
  %live.89 = load <8 x i1>, ptr %live.84
  store <8 x i1> %live.89, ptr %running.85
  %t.91 = bitcast <8 x i1> %live.89 to i8
  %t.92 = icmp ne i8 %t.91, 0
  br i1 %t.92, label %iteration.90, label %k_end.83
iteration.90:
  %t.93 = add nsw i32 %k.86, 1
  %t.94 = sitofp i32 %t.93 to float
  %t.95 = fmul contract float %param2, %t.94
  %t.96 = insertelement <8 x float> poison, float %t.95, i32 0
  %t.97 = shufflevector <8 x float> %t.96, <8 x float> poison, <8 x i32> zeroinitializer
  %t.98 = fcmp ogt <8 x float> %x.62, %t.97
  %t.100 = and <8 x i1> %live.89, %t.98
  %t.103 = bitcast <8 x i1> %t.100 to i8
  %t.104 = icmp ne i8 %t.103, 0
  br i1 %t.104, label %lanes.101, label %endlanes.102
lanes.101:
  %classify_result.105 = load <8 x i32>, ptr %classify_result.64
  %t.106 = insertelement <8 x i32> poison, i32 %k.86, i32 0
  %t.107 = shufflevector <8 x i32> %t.106, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.108 = select <8 x i1> %t.100, <8 x i32> %t.107, <8 x i32> %classify_result.105
  store <8 x i32> %t.108, ptr %classify_result.64
  %classify_return_taken.109 = load <8 x i1>, ptr %classify_return_taken.63
  %t.110 = select <8 x i1> %t.100, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x i1> %classify_return_taken.109
  store <8 x i1> %t.110, ptr %classify_return_taken.63
  %t.111 = load <8 x i1>, ptr %live.84
  %t.112 = xor <8 x i1> %t.100, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.113 = and <8 x i1> %t.111, %t.112
  store <8 x i1> %t.113, ptr %live.84
  %t.114 = load <8 x i1>, ptr %running.85
  %t.115 = xor <8 x i1> %t.100, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.116 = and <8 x i1> %t.114, %t.115
  store <8 x i1> %t.116, ptr %running.85
  br label %endlanes.102
endlanes.102:
  %running.117 = load <8 x i1>, ptr %running.85
  %t.118 = and <8 x i1> %live.89, %running.117
  %t.120 = bitcast <8 x i1> %t.118 to i8
  %t.121 = icmp ne i8 %t.120, 0
  br i1 %t.121, label %rest.119, label %k_next.82
rest.119:
  br label %k_next.82
k_next.82:
  %t.122 = add i32 %k.86, 1
  store i32 %t.122, ptr %k.80
  br label %k_head.81
k_end.83:
  %classify_return_taken.123 = load <8 x i1>, ptr %classify_return_taken.63
  %t.124 = xor <8 x i1> %classify_return_taken.123, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.126 = and <8 x i1> %t.75, %t.124
  %classify_result.127 = load <8 x i32>, ptr %classify_result.64
  %t.128 = select <8 x i1> %t.126, <8 x i32> <i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7>, <8 x i32> %classify_result.127
  store <8 x i32> %t.128, ptr %classify_result.64
  %classify_return_taken.129 = load <8 x i1>, ptr %classify_return_taken.63
  %t.130 = select <8 x i1> %t.126, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x i1> %classify_return_taken.129
  store <8 x i1> %t.130, ptr %classify_return_taken.63
  br label %endlanes.77
endlanes.77:
  %t.131 = sext i32 %workgroup_id.13 to i64
  %index.132 = mul i64 %t.131, 64
  %index.133 = add i64 %index.132, %local_x.29
  %classify_result.134 = load <8 x i32>, ptr %classify_result.64
  %place.135 = getelementptr inbounds i32, ptr %buffer1, i64 %index.133
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %classify_result.134, ptr %place.135, i32 4, <8 x i1> %t.53)
  br label %endlanes.55
endlanes.55:
  br label %local_x_next.27
local_x_next.27:
  %local_x.29.next = add nsw i64 %local_x.29, 8
  br label %local_x_head.25
local_x_end.28:
  %t.138 = icmp sgt i64 %t.24, 0
  br i1 %t.138, label %last_gang.137, label %row_end.136
last_gang.137:
  %t.139 = insertelement <8 x i64> poison, i64 %t.24, i32 0
  %t.140 = shufflevector <8 x i64> %t.139, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask.141 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %t.140
  %t.142 = mul nsw i32 %workgroup_id.13, 64
  %local_id.143 = trunc i64 %t.23 to i32
  %t.144 = insertelement <8 x i32> poison, i32 %local_id.143, i32 0
  %t.145 = shufflevector <8 x i32> %t.144, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.146 = add nsw <8 x i32> %t.145, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.147 = insertelement <8 x i32> poison, i32 %t.142, i32 0
  %t.148 = shufflevector <8 x i32> %t.147, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.149 = add nsw <8 x i32> %t.148, %t.146
  %t.150 = sext i32 %workgroup_id.13 to i64
  %index.151 = mul i64 %t.150, 64
  %index.152 = add i64 %index.151, %t.23
  %t.153 = sext i32 %workgroup_id.13 to i64
  %index.154 = mul i64 %t.153, 64
  %index.155 = add i64 %index.154, %t.23
  %place.156 = getelementptr inbounds float, ptr %buffer0, i64 %index.155
  %x.157 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %place.156, i32 4, <8 x i1> %mask.141, <8 x float> poison)
  %t.158 = fcmp uno <8 x float> %x.157, %x.157
  %t.160 = and <8 x i1> %mask.141, %t.158
  %t.161 = sext i32 %workgroup_id.13 to i64
  %index.162 = mul i64 %t.161, 64
  %index.163 = add i64 %index.162, %t.23
  %place.164 = getelementptr inbounds i32, ptr %buffer1, i64 %index.163
  call void @llvm.masked.store.v8i32.p0(<8 x i32> <i32 -2, i32 -2, i32 -2, i32 -2, i32 -2, i32 -2, i32 -2, i32 -2>, ptr %place.164, i32 4, <8 x i1> %t.160)
  %t.165 = xor <8 x i1> %t.158, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.166 = and <8 x i1> %mask.141, %t.165
  %t.169 = bitcast <8 x i1> %t.166 to i8
  %t.170 = icmp ne i8 %t.169, 0
  br i1 %t.170, label %lanes.167, label %endlanes.168
lanes.167:
  %t.171 = sext i32 %workgroup_id.13 to i64
  %index.172 = mul i64 %t.171, 64
  %index.173 = add i64 %index.172, %t.23
  %place.174 = getelementptr inbounds float, ptr %buffer0, i64 %index.173
  %x.175 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %place.174, i32 4, <8 x i1> %t.166, <8 x float> poison)
  store <8 x i1> <i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, ptr %classify_return_taken.176
  store <8 x i32> undef, ptr %classify_result.177
  %t.178 = insertelement <8 x float> poison, float %param1, i32 0
  %t.179 = shufflevector <8 x float> %t.178, <8 x float> poison, <8 x i32> zeroinitializer
  %t.180 = fcmp olt <8 x float> %x.175, %t.179
  %t.182 = and <8 x i1> %t.166, %t.180
  %classify_result.183 = load <8 x i32>, ptr %classify_result.177
  %t.184 = select <8 x i1> %t.182, <8 x i32> <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>, <8 x i32> %classify_result.183
  store <8 x i32> %t.184, ptr %classify_result.177
  %classify_return_taken.185 = load <8 x i1>, ptr %classify_return_taken.176
  %t.186 = select <8 x i1> %t.182, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x i1> %classify_return_taken.185
  store <8 x i1> %t.186, ptr %classify_return_taken.176
  %t.187 = xor <8 x i1> %t.180, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.188 = and <8 x i1> %t.166, %t.187
  %t.191 = bitcast <8 x i1> %t.188 to i8
  %t.192 = icmp ne i8 %t.191, 0
  br i1 %t.192, label %lanes.189, label %endlanes.190
lanes.189:
  store i32 0, ptr %k.193
  store <8 x i1> %t.188, ptr %live.197
  br label %k_head.194
k_head.194:
  %k.199 = load i32, ptr %k.193
  %t.200 = icmp slt i32 %k.199, 3
  br i1 %t.200, label %going.201, label %k_end.196
going.201:
  %live.202 = load <8 x i1>, ptr %live.197
  store <8 x i1> %live.202, ptr %running.198
  %t.204 = bitcast <8 x i1> %live.202 to i8
  %t.205 = icmp ne i8 %t.204, 0
  br i1 %t.205, label %iteration.203, label %k_end.196
iteration.203:
  %t.206 = add nsw i32 %k.199, 1
  %t.207 = sitofp i32 %t.206 to float
  %t.208 = fmul contract float %param2, %t.207
  %t.209 = insertelement <8 x float> poison, float %t.208, i32 0
  %t.210 = shufflevector <8 x float> %t.209, <8 x float> poison, <8 x i32> zeroinitializer
  %t.211 = fcmp ogt <8 x float> %x.175, %t.210
  %t.213 = and <8 x i1> %live.202, %t.211
  %t.216 = bitcast <8 x i1> %t.213 to i8
  %t.217 = icmp ne i8 %t.216, 0
  br i1 %t.217, label %lanes.214, label %endlanes.215
lanes.214:
  %classify_result.218 = load <8 x i32>, ptr %classify_result.177
  %t.219 = insertelement <8 x i32> poison, i32 %k.199, i32 0
  %t.220 = shufflevector <8 x i32> %t.219, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.221 = select <8 x i1> %t.213, <8 x i32> %t.220, <8 x i32> %classify_result.218
  store <8 x i32> %t.221, ptr %classify_result.177
  %classify_return_taken.222 = load <8 x i1>, ptr %classify_return_taken.176
  %t.223 = select <8 x i1> %t.213, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x i1> %classify_return_taken.222
  store <8 x i1> %t.223, ptr %classify_return_taken.176
  %t.224 = load <8 x i1>, ptr %live.197
  %t.225 = xor <8 x i1> %t.213, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.226 = and <8 x i1> %t.224, %t.225
  store <8 x i1> %t.226, ptr %live.197
  %t.227 = load <8 x i1>, ptr %running.198
  %t.228 = xor <8 x i1> %t.213, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.229 = and <8 x i1> %t.227, %t.228
  store <8 x i1> %t.229, ptr %running.198
  br label %endlanes.215
endlanes.215:
  %running.230 = load <8 x i1>, ptr %running.198
  %t.231 = and <8 x i1> %live.202, %running.230
  %t.233 = bitcast <8 x i1> %t.231 to i8
  %t.234 = icmp ne i8 %t.233, 0
  br i1 %t.234, label %rest.232, label %k_next.195
rest.232:
  br label %k_next.195
k_next.195:
  %t.235 = add i32 %k.199, 1
  store i32 %t.235, ptr %k.193
  br label %k_head.194
k_end.196:
  %classify_return_taken.236 = load <8 x i1>, ptr %classify_return_taken.176
  %t.237 = xor <8 x i1> %classify_return_taken.236, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.239 = and <8 x i1> %t.188, %t.237
  %classify_result.240 = load <8 x i32>, ptr %classify_result.177
  %t.241 = select <8 x i1> %t.239, <8 x i32> <i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7>, <8 x i32> %classify_result.240
  store <8 x i32> %t.241, ptr %classify_result.177
  %classify_return_taken.242 = load <8 x i1>, ptr %classify_return_taken.176
  %t.243 = select <8 x i1> %t.239, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x i1> %classify_return_taken.242
  store <8 x i1> %t.243, ptr %classify_return_taken.176
  br label %endlanes.190
endlanes.190:
  %t.244 = sext i32 %workgroup_id.13 to i64
  %index.245 = mul i64 %t.244, 64
  %index.246 = add i64 %index.245, %t.23
  %classify_result.247 = load <8 x i32>, ptr %classify_result.177
  %place.248 = getelementptr inbounds i32, ptr %buffer1, i64 %index.246
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %classify_result.247, ptr %place.248, i32 4, <8 x i1> %t.166)
  br label %endlanes.168
endlanes.168:
  br label %row_end.136
row_end.136:
  br label %workgroup_next.3
workgroup_next.3:
  %workgroup.5.next = add nsw i64 %workgroup.5, 1
  br label %workgroup_head.1
workgroup_end.4:
  ret void
}

declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare void @llvm.masked.store.v8i32.p0(<8 x i32>, ptr, i32, <8 x i1>)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
