; kernel expanded
@gpucore_scratch_nbytes = constant i64 0

define void @gpucore_entry(ptr %buffers, ptr %scalars, ptr %scratch, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) nounwind {
entry:
  %t.1 = getelementptr ptr, ptr %buffers, i64 0
  %x.2 = load ptr, ptr %t.1
  %t.3 = getelementptr ptr, ptr %buffers, i64 1
  %words.4 = load ptr, ptr %t.3
  %t.5 = getelementptr ptr, ptr %buffers, i64 2
  %out.6 = load ptr, ptr %t.5
  %t.7 = getelementptr ptr, ptr %buffers, i64 3
  %bits.8 = load ptr, ptr %t.7
  %t.9 = getelementptr i8, ptr %scalars, i64 0
  %x_shape_0_.10 = load i32, ptr %t.9
  %t.11 = getelementptr i8, ptr %scalars, i64 4
  %out_shape_1_.12 = load i32, ptr %t.11
  %t.13 = getelementptr i8, ptr %scalars, i64 8
  %bits_shape_1_.14 = load i32, ptr %t.13
  call void @gpucore_workgroups(ptr %x.2, ptr %words.4, ptr %out.6, ptr %bits.8, i32 %x_shape_0_.10, i32 %out_shape_1_.12, i32 %bits_shape_1_.14, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last)
  ret void
}

define internal void @gpucore_workgroups(ptr noalias nonnull align 64 %buffer0, ptr noalias nonnull align 64 %buffer1, ptr noalias nonnull align 64 %buffer2, ptr noalias nonnull align 64 %buffer3, i32 %param0, i32 %param1, i32 %param2, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) noinline nounwind {
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
  %count.21 = call i64 @llvm.smin.i64(i64 %room.20, i64 64)
  br label %local_x_head.22
local_x_head.22:
  %local_x.26 = phi i64 [ 0, %workgroup_body.2 ], [ %local_x.26.next, %local_x_next.24 ]
  %t.27 = icmp slt i64 %local_x.26, %count.21
  br i1 %t.27, label %local_x_body.23, label %local_x_end.25
local_x_body.23:
  %t.28 = mul nsw i32 %workgroup_id.13, 64
  %local_id.29 = trunc i64 %local_x.26 to i32
  %t.30 = add nsw i32 %t.28, %local_id.29
  %t.31 = sext i32 %workgroup_id.13 to i64
  %index.32 = mul nsw i64 %t.31, 64
  %index.33 = add nsw i64 %index.32, %local_x.26
  %place.34 = getelementptr inbounds float, ptr %buffer0, i64 %index.33
  %x.35 = load float, ptr %place.34, align 4, !llvm.access.group !0
  %t.36 = call float @llvm.fabs.f32(float %x.35)
  %t.37 = call float @llvm.maxnum.f32(float %t.36, float 0x3FF0000000000000)
  %t.38 = fcmp ogt float %t.37, 0x43B0000000000000
  %t.39 = fcmp olt float %t.37, 0x3D70000000000000
  %t.40 = select i1 %t.39, float 0x4630000000000000, float 0x3FF0000000000000
  %t.41 = select i1 %t.38, float 0x3B90000000000000, float %t.40
  %t.42 = fmul contract float %t.36, %t.41
  %t.43 = sext i32 %workgroup_id.13 to i64
  %index.44 = mul nsw i64 %t.43, 64
  %index.45 = add nsw i64 %index.44, %local_x.26
  %place.46 = getelementptr inbounds float, ptr %buffer2, i64 %index.45
  %t.47 = call float @llvm.fabs.f32(float %x.35)
  %t.48 = fcmp oeq float %t.47, 0x7FF0000000000000
  %t.49 = fmul contract float %t.42, %t.42
  %t.50 = fmul contract float %t.41, %t.41
  %t.51 = fadd contract float %t.49, %t.50
  %t.52 = call float @llvm.sqrt.f32(float %t.51)
  %t.53 = select i1 %t.39, float 0x39B0000000000000, float 0x3FF0000000000000
  %t.54 = select i1 %t.38, float 0x4450000000000000, float %t.53
  %t.55 = fmul contract float %t.52, %t.54
  %t.56 = select i1 %t.48, float 0x7FF0000000000000, float %t.55
  store float %t.56, ptr %place.46, align 4, !llvm.access.group !0
  %t.57 = sext i32 %workgroup_id.13 to i64
  %index.58 = mul nsw i64 %t.57, 64
  %index.59 = add nsw i64 %index.58, %local_x.26
  %place.60 = getelementptr inbounds float, ptr %buffer0, i64 %index.59
  %x.61 = load float, ptr %place.60, align 4, !llvm.access.group !0
  %t.62 = sext i32 %workgroup_id.13 to i64
  %index.63 = mul nsw i64 %t.62, 64
  %index.64 = add nsw i64 %index.63, %local_x.26
  %place.65 = getelementptr inbounds float, ptr %buffer0, i64 %index.64
  %x.66 = load float, ptr %place.65, align 4, !llvm.access.group !0
  %t.67 = call i32 @llvm.smax.i32(i32 %t.30, i32 -378)
  %t.68 = call i32 @llvm.smin.i32(i32 %t.67, i32 381)
  %t.69 = call i32 @llvm.smax.i32(i32 %t.68, i32 -126)
  %t.70 = call i32 @llvm.smin.i32(i32 %t.69, i32 127)
  %t.71 = sub nsw i32 %t.68, %t.70
  %t.72 = call i32 @llvm.smax.i32(i32 %t.71, i32 -126)
  %t.73 = call i32 @llvm.smin.i32(i32 %t.72, i32 127)
  %t.74 = sub nsw i32 %t.71, %t.73
  %t.75 = call i32 @llvm.smax.i32(i32 %t.74, i32 -126)
  %t.76 = call i32 @llvm.smin.i32(i32 %t.75, i32 127)
  %t.77 = call float @llvm.fabs.f32(float %x.66)
  %t.78 = fcmp olt float %t.77, 0x39B0000000000000
  %t.79 = fmul contract float %t.77, 0x4170000000000000
  %t.80 = select i1 %t.78, float %t.79, float %t.77
  %t.81 = bitcast float %t.80 to i32
  %t.82 = udiv i32 %t.81, 3
  %t.83 = add nuw i32 %t.82, 709958653
  %t.84 = bitcast i32 %t.83 to float
  %t.85 = fmul contract float %t.84, %t.84
  %t.86 = fdiv float %t.80, %t.85
  %t.87 = fsub contract float %t.86, %t.84
  %t.88 = fmul contract float %t.87, 0x3FD5555560000000
  %t.89 = fadd contract float %t.84, %t.88
  %t.90 = fmul contract float %t.89, %t.89
  %t.91 = fdiv float %t.80, %t.90
  %t.92 = fsub contract float %t.91, %t.89
  %t.93 = fmul contract float %t.92, 0x3FD5555560000000
  %t.94 = fadd contract float %t.89, %t.93
  %t.95 = fmul contract float %t.94, %t.94
  %t.96 = fdiv float %t.80, %t.95
  %t.97 = fsub contract float %t.96, %t.94
  %t.98 = fmul contract float %t.97, 0x3FD5555560000000
  %t.99 = fadd contract float %t.94, %t.98
  %t.100 = fmul contract float %t.99, 0x3F70000000000000
  %t.101 = select i1 %t.78, float %t.100, float %t.99
  %t.102 = sext i32 %param1 to i64
  %t.103 = sext i32 %workgroup_id.13 to i64
  %index.104 = mul nsw i64 %t.103, 64
  %index.105 = add nsw i64 %index.104, %local_x.26
  %index.106 = add nsw i64 %t.102, %index.105
  %place.107 = getelementptr inbounds float, ptr %buffer2, i64 %index.106
  %t.108 = add nsw i32 %t.76, 127
  %t.109 = and i32 23, 31
  %t.110 = shl i32 %t.108, %t.109
  %t.111 = bitcast i32 %t.110 to float
  %t.112 = fmul contract float %x.61, %t.111
  %t.113 = add nsw i32 %t.73, 127
  %t.114 = and i32 23, 31
  %t.115 = shl i32 %t.113, %t.114
  %t.116 = bitcast i32 %t.115 to float
  %t.117 = fmul contract float %t.112, %t.116
  %t.118 = add nsw i32 %t.70, 127
  %t.119 = and i32 23, 31
  %t.120 = shl i32 %t.118, %t.119
  %t.121 = bitcast i32 %t.120 to float
  %t.122 = fmul contract float %t.117, %t.121
  %t.123 = fcmp ogt float %t.77, 0x0000000000000000
  %t.124 = fcmp olt float %t.77, 0x7FF0000000000000
  %t.125 = and i1 %t.123, %t.124
  %t.126 = fcmp olt float %x.66, 0x0000000000000000
  %t.127 = fneg float %t.101
  %t.128 = select i1 %t.126, float %t.127, float %t.101
  %t.129 = select i1 %t.125, float %t.128, float %x.66
  %t.130 = call float @llvm.copysign.f32(float %t.122, float %t.129)
  store float %t.130, ptr %place.107, align 4, !llvm.access.group !0
  %t.131 = sext i32 %workgroup_id.13 to i64
  %index.132 = mul nsw i64 %t.131, 64
  %index.133 = add nsw i64 %index.132, %local_x.26
  %place.134 = getelementptr inbounds float, ptr %buffer0, i64 %index.133
  %x.135 = load float, ptr %place.134, align 4, !llvm.access.group !0
  %t.136 = sext i32 %workgroup_id.13 to i64
  %index.137 = mul nsw i64 %t.136, 64
  %index.138 = add nsw i64 %index.137, %local_x.26
  %place.139 = getelementptr inbounds float, ptr %buffer0, i64 %index.138
  %x.140 = load float, ptr %place.139, align 4, !llvm.access.group !0
  %t.141 = fadd contract float %x.135, 0x3FF0000000000000
  %t.142 = bitcast float %t.141 to i32
  %t.143 = add i32 %t.142, 4913933
  %t.144 = and i32 23, 31
  %t.145 = lshr i32 %t.143, %t.144
  %t.146 = sub nsw i32 %t.145, 127
  %t.147 = sitofp i32 %t.146 to float
  %t.148 = fcmp ogt float %x.135, 0xBFD28F5C20000000
  %t.149 = fcmp olt float %x.135, 0x3FDA3D70A0000000
  %t.150 = and i1 %t.148, %t.149
  %t.151 = and i32 %t.143, 8388607
  %t.152 = add nuw i32 %t.151, 1060439283
  %t.153 = bitcast i32 %t.152 to float
  %t.154 = fsub contract float %t.153, 0x3FF0000000000000
  %t.155 = select i1 %t.150, float %x.135, float %t.154
  %t.156 = fadd contract float %t.155, 0x4000000000000000
  %t.157 = fdiv float %t.155, %t.156
  %t.158 = fmul contract float %t.157, %t.157
  %t.159 = fmul contract float %t.155, %t.155
  %t.160 = fmul contract float %t.159, 0x3FE0000000000000
  %t.161 = fmul contract float 0x3FC745D180000000, %t.158
  %t.162 = fadd contract float %t.161, 0x3FCC71C720000000
  %t.163 = fmul contract float %t.162, %t.158
  %t.164 = fadd contract float %t.163, 0x3FD24924A0000000
  %t.165 = fmul contract float %t.164, %t.158
  %t.166 = fadd contract float %t.165, 0x3FD99999A0000000
  %t.167 = fmul contract float %t.166, %t.158
  %t.168 = fadd contract float %t.167, 0x3FE5555560000000
  %t.169 = fmul contract float %t.158, %t.168
  %t.170 = fadd contract float %t.160, %t.169
  %t.171 = fmul contract float %t.157, %t.170
  %t.172 = fsub contract float %t.160, %t.171
  %t.173 = fsub contract float %t.155, %t.172
  %t.174 = mul i32 %param1, 2
  %t.175 = sext i32 %t.174 to i64
  %t.176 = sext i32 %workgroup_id.13 to i64
  %index.177 = mul nsw i64 %t.176, 64
  %index.178 = add nsw i64 %index.177, %local_x.26
  %index.179 = add nsw i64 %t.175, %index.178
  %place.180 = getelementptr inbounds float, ptr %buffer2, i64 %index.179
  %t.181 = fcmp ogt float %t.141, 0x0000000000000000
  %t.182 = fcmp olt float %t.141, 0x7FF0000000000000
  %t.183 = and i1 %t.181, %t.182
  %t.184 = fmul contract float %t.147, 0x3FE62E4000000000
  %t.185 = fmul contract float %t.147, 0x3EB7F7D1C0000000
  %t.186 = fadd contract float %t.185, %t.173
  %t.187 = fadd contract float %t.184, %t.186
  %t.188 = select i1 %t.150, float %t.173, float %t.187
  %t.189 = call float @llvm.log.f32(float %t.141)
  %t.190 = select i1 %t.183, float %t.188, float %t.189
  %t.191 = call float @llvm.fabs.f32(float %x.140)
  %t.192 = fcmp olt float %t.191, 0x3FE6666660000000
  %t.193 = fmul contract float 0x3E927E4FC0000000, %x.140
  %t.194 = fadd contract float %t.193, 0x3EC71DE3A0000000
  %t.195 = fmul contract float %t.194, %x.140
  %t.196 = fadd contract float %t.195, 0x3EFA01A020000000
  %t.197 = fmul contract float %t.196, %x.140
  %t.198 = fadd contract float %t.197, 0x3F2A01A020000000
  %t.199 = fmul contract float %t.198, %x.140
  %t.200 = fadd contract float %t.199, 0x3F56C16C20000000
  %t.201 = fmul contract float %t.200, %x.140
  %t.202 = fadd contract float %t.201, 0x3F81111120000000
  %t.203 = fmul contract float %t.202, %x.140
  %t.204 = fadd contract float %t.203, 0x3FA5555560000000
  %t.205 = fmul contract float %t.204, %x.140
  %t.206 = fadd contract float %t.205, 0x3FC5555560000000
  %t.207 = fmul contract float %t.206, %x.140
  %t.208 = fadd contract float %t.207, 0x3FE0000000000000
  %t.209 = fmul contract float %t.208, %x.140
  %t.210 = fadd contract float %t.209, 0x3FF0000000000000
  %t.211 = fmul contract float %x.140, %t.210
  %t.212 = call float @llvm.exp.f32(float %x.140)
  %t.213 = fsub contract float %t.212, 0x3FF0000000000000
  %t.214 = select i1 %t.192, float %t.211, float %t.213
  %t.215 = fadd contract float %t.190, %t.214
  store float %t.215, ptr %place.180, align 4, !llvm.access.group !0
  %t.216 = sext i32 %workgroup_id.13 to i64
  %index.217 = mul nsw i64 %t.216, 64
  %index.218 = add nsw i64 %index.217, %local_x.26
  %place.219 = getelementptr inbounds i32, ptr %buffer1, i64 %index.218
  %words.220 = load i32, ptr %place.219, align 4, !llvm.access.group !0
  %t.221 = sext i32 %workgroup_id.13 to i64
  %index.222 = mul nsw i64 %t.221, 64
  %index.223 = add nsw i64 %index.222, %local_x.26
  %place.224 = getelementptr inbounds i32, ptr %buffer3, i64 %index.223
  %t.225 = zext i32 %words.220 to i64
  %t.226 = zext i32 10 to i64
  %t.227 = mul i64 %t.225, %t.226
  %t.228 = lshr i64 %t.227, 32
  %t.229 = trunc i64 %t.228 to i32
  store i32 %t.229, ptr %place.224, align 4, !llvm.access.group !0
  %t.230 = sext i32 %workgroup_id.13 to i64
  %index.231 = mul nsw i64 %t.230, 64
  %index.232 = add nsw i64 %index.231, %local_x.26
  %place.233 = getelementptr inbounds i32, ptr %buffer1, i64 %index.232
  %words.234 = load i32, ptr %place.233, align 4, !llvm.access.group !0
  %t.235 = sext i32 %param2 to i64
  %t.236 = sext i32 %workgroup_id.13 to i64
  %index.237 = mul nsw i64 %t.236, 64
  %index.238 = add nsw i64 %index.237, %local_x.26
  %index.239 = add nsw i64 %t.235, %index.238
  %place.240 = getelementptr inbounds i32, ptr %buffer3, i64 %index.239
  %t.241 = call i32 @llvm.fshl.i32(i32 %words.234, i32 %words.234, i32 %t.30)
  store i32 %t.241, ptr %place.240, align 4, !llvm.access.group !0
  %t.242 = sext i32 %workgroup_id.13 to i64
  %index.243 = mul nsw i64 %t.242, 64
  %index.244 = add nsw i64 %index.243, %local_x.26
  %place.245 = getelementptr inbounds i32, ptr %buffer1, i64 %index.244
  %words.246 = load i32, ptr %place.245, align 4, !llvm.access.group !0
  %place.247 = getelementptr inbounds i32, ptr %buffer1, i64 0
  %words.248 = load i32, ptr %place.247, align 4, !llvm.access.group !0
  %t.249 = mul i32 %param2, 2
  %t.250 = sext i32 %t.249 to i64
  %t.251 = sext i32 %workgroup_id.13 to i64
  %index.252 = mul nsw i64 %t.251, 64
  %index.253 = add nsw i64 %index.252, %local_x.26
  %index.254 = add nsw i64 %t.250, %index.253
  %place.255 = getelementptr inbounds i32, ptr %buffer3, i64 %index.254
  %t.256 = and i32 %words.246, 255
  %t.257 = and i32 %words.248, 255
  %t.258 = mul nuw i32 %t.256, %t.257
  %t.259 = and i32 8, 31
  %t.260 = lshr i32 %words.246, %t.259
  %t.261 = and i32 %t.260, 255
  %t.262 = and i32 8, 31
  %t.263 = lshr i32 %words.248, %t.262
  %t.264 = and i32 %t.263, 255
  %t.265 = mul nuw i32 %t.261, %t.264
  %t.266 = add nuw i32 %t.258, %t.265
  %t.267 = and i32 16, 31
  %t.268 = lshr i32 %words.246, %t.267
  %t.269 = and i32 %t.268, 255
  %t.270 = and i32 16, 31
  %t.271 = lshr i32 %words.248, %t.270
  %t.272 = and i32 %t.271, 255
  %t.273 = mul nuw i32 %t.269, %t.272
  %t.274 = add nuw i32 %t.266, %t.273
  %t.275 = and i32 24, 31
  %t.276 = lshr i32 %words.246, %t.275
  %t.277 = and i32 %t.276, 255
  %t.278 = and i32 24, 31
  %t.279 = lshr i32 %words.248, %t.278
  %t.280 = and i32 %t.279, 255
  %t.281 = mul nuw i32 %t.277, %t.280
  %t.282 = add nuw i32 %t.274, %t.281
  store i32 %t.282, ptr %place.255, align 4, !llvm.access.group !0
  %t.283 = sext i32 %workgroup_id.13 to i64
  %index.284 = mul nsw i64 %t.283, 64
  %index.285 = add nsw i64 %index.284, %local_x.26
  %place.286 = getelementptr inbounds i32, ptr %buffer1, i64 %index.285
  %words.287 = load i32, ptr %place.286, align 4, !llvm.access.group !0
  %place.288 = getelementptr inbounds i32, ptr %buffer1, i64 0
  %words.289 = load i32, ptr %place.288, align 4, !llvm.access.group !0
  %t.290 = mul i32 %param2, 3
  %t.291 = sext i32 %t.290 to i64
  %t.292 = sext i32 %workgroup_id.13 to i64
  %index.293 = mul nsw i64 %t.292, 64
  %index.294 = add nsw i64 %index.293, %local_x.26
  %index.295 = add nsw i64 %t.291, %index.294
  %place.296 = getelementptr inbounds i32, ptr %buffer3, i64 %index.295
  %t.297 = and i32 24, 31
  %t.298 = shl i32 %words.287, %t.297
  %t.299 = and i32 24, 31
  %t.300 = ashr i32 %t.298, %t.299
  %t.301 = and i32 24, 31
  %t.302 = shl i32 %words.289, %t.301
  %t.303 = and i32 24, 31
  %t.304 = ashr i32 %t.302, %t.303
  %t.305 = mul nsw i32 %t.300, %t.304
  %t.306 = and i32 16, 31
  %t.307 = shl i32 %words.287, %t.306
  %t.308 = and i32 24, 31
  %t.309 = ashr i32 %t.307, %t.308
  %t.310 = and i32 16, 31
  %t.311 = shl i32 %words.289, %t.310
  %t.312 = and i32 24, 31
  %t.313 = ashr i32 %t.311, %t.312
  %t.314 = mul nsw i32 %t.309, %t.313
  %t.315 = add nsw i32 %t.305, %t.314
  %t.316 = and i32 8, 31
  %t.317 = shl i32 %words.287, %t.316
  %t.318 = and i32 24, 31
  %t.319 = ashr i32 %t.317, %t.318
  %t.320 = and i32 8, 31
  %t.321 = shl i32 %words.289, %t.320
  %t.322 = and i32 24, 31
  %t.323 = ashr i32 %t.321, %t.322
  %t.324 = mul nsw i32 %t.319, %t.323
  %t.325 = add nsw i32 %t.315, %t.324
  %t.326 = and i32 24, 31
  %t.327 = ashr i32 %words.287, %t.326
  %t.328 = and i32 24, 31
  %t.329 = ashr i32 %words.289, %t.328
  %t.330 = mul nsw i32 %t.327, %t.329
  %t.331 = add nsw i32 %t.325, %t.330
  store i32 %t.331, ptr %place.296, align 4, !llvm.access.group !0
  br label %local_x_next.24
local_x_next.24:
  %local_x.26.next = add nsw i64 %local_x.26, 1
  br label %local_x_head.22, !llvm.loop !3
local_x_end.25:
  br label %workgroup_next.3
workgroup_next.3:
  %workgroup.5.next = add nsw i64 %workgroup.5, 1
  br label %workgroup_head.1
workgroup_end.4:
  ret void
}

declare float @llvm.copysign.f32(float, float)
declare float @llvm.exp.f32(float)
declare float @llvm.fabs.f32(float)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare float @llvm.log.f32(float)
declare float @llvm.maxnum.f32(float, float)
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)
declare i64 @llvm.smin.i64(i64, i64)
declare float @llvm.sqrt.f32(float)

!0 = distinct !{}
!1 = !{!"llvm.loop.parallel_accesses", !0}
!2 = !{!"llvm.loop.unroll.disable"}
!3 = distinct !{!3, !1, !2}
