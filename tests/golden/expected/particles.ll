; kernel particles
@gpucore_scratch_nbytes = constant i64 0

define void @gpucore_entry(ptr %buffers, ptr %scalars, ptr %scratch, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) nounwind {
entry:
  %t.1 = getelementptr ptr, ptr %buffers, i64 0
  %places.2 = load ptr, ptr %t.1
  %t.3 = getelementptr ptr, ptr %buffers, i64 1
  %speeds.4 = load ptr, ptr %t.3
  %t.5 = getelementptr ptr, ptr %buffers, i64 2
  %energies.6 = load ptr, ptr %t.5
  %t.7 = getelementptr i8, ptr %scalars, i64 0
  %places_shape_0_.8 = load i32, ptr %t.7
  %t.9 = getelementptr i8, ptr %scalars, i64 4
  %seconds.10 = load float, ptr %t.9
  call void @gpucore_workgroups(ptr %places.2, ptr %speeds.4, ptr %energies.6, i32 %places_shape_0_.8, float %seconds.10, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last)
  ret void
}

define internal void @gpucore_workgroups(ptr noalias nonnull align 64 %buffer0, ptr noalias nonnull align 64 %buffer1, ptr noalias nonnull align 64 %buffer2, i32 %param0, float %param1, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) noinline nounwind {
entry:
  %place.60 = alloca <8 x float>, align 32
  %place.61 = alloca <8 x float>, align 32
  %place.62 = alloca <8 x float>, align 32
  %place.63 = alloca <8 x float>, align 32
  %place.222 = alloca <8 x float>, align 32
  %place.223 = alloca <8 x float>, align 32
  %place.224 = alloca <8 x float>, align 32
  %place.225 = alloca <8 x float>, align 32
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
  %place.45 = getelementptr inbounds <4 x float>, ptr %buffer0, i64 %index.44
  %places.46 = load <32 x float>, ptr %place.45, align 16
  %t.47 = shufflevector <32 x float> %places.46, <32 x float> poison, <8 x i32> <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28>
  %t.48 = shufflevector <32 x float> %places.46, <32 x float> poison, <8 x i32> <i32 1, i32 5, i32 9, i32 13, i32 17, i32 21, i32 25, i32 29>
  %t.49 = shufflevector <32 x float> %places.46, <32 x float> poison, <8 x i32> <i32 2, i32 6, i32 10, i32 14, i32 18, i32 22, i32 26, i32 30>
  %t.50 = shufflevector <32 x float> %places.46, <32 x float> poison, <8 x i32> <i32 3, i32 7, i32 11, i32 15, i32 19, i32 23, i32 27, i32 31>
  %t.51 = sext i32 %workgroup_id.13 to i64
  %index.52 = mul i64 %t.51, 64
  %index.53 = add i64 %index.52, %local_x.29
  %place.54 = getelementptr inbounds <4 x float>, ptr %buffer1, i64 %index.53
  %speeds.55 = load <32 x float>, ptr %place.54, align 16
  %t.56 = shufflevector <32 x float> %speeds.55, <32 x float> poison, <8 x i32> <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28>
  %t.57 = shufflevector <32 x float> %speeds.55, <32 x float> poison, <8 x i32> <i32 1, i32 5, i32 9, i32 13, i32 17, i32 21, i32 25, i32 29>
  %t.58 = shufflevector <32 x float> %speeds.55, <32 x float> poison, <8 x i32> <i32 2, i32 6, i32 10, i32 14, i32 18, i32 22, i32 26, i32 30>
  %t.59 = shufflevector <32 x float> %speeds.55, <32 x float> poison, <8 x i32> <i32 3, i32 7, i32 11, i32 15, i32 19, i32 23, i32 27, i32 31>
  %t.64 = insertelement <4 x float> poison, float %param1, i32 0
  %t.65 = shufflevector <4 x float> %t.64, <4 x float> poison, <4 x i32> zeroinitializer
  %t.66 = extractelement <4 x float> %t.65, i32 0
  %t.67 = extractelement <4 x float> %t.65, i32 1
  %t.68 = extractelement <4 x float> %t.65, i32 2
  %t.69 = extractelement <4 x float> %t.65, i32 3
  %t.70 = insertelement <8 x float> poison, float %t.66, i32 0
  %t.71 = shufflevector <8 x float> %t.70, <8 x float> poison, <8 x i32> zeroinitializer
  %t.72 = insertelement <8 x float> poison, float %t.67, i32 0
  %t.73 = shufflevector <8 x float> %t.72, <8 x float> poison, <8 x i32> zeroinitializer
  %t.74 = insertelement <8 x float> poison, float %t.68, i32 0
  %t.75 = shufflevector <8 x float> %t.74, <8 x float> poison, <8 x i32> zeroinitializer
  %t.76 = insertelement <8 x float> poison, float %t.69, i32 0
  %t.77 = shufflevector <8 x float> %t.76, <8 x float> poison, <8 x i32> zeroinitializer
  %t.78 = fmul contract <8 x float> %t.56, %t.71
  %t.79 = fmul contract <8 x float> %t.57, %t.73
  %t.80 = fmul contract <8 x float> %t.58, %t.75
  %t.81 = fmul contract <8 x float> %t.59, %t.77
  %t.82 = fadd contract <8 x float> %t.47, %t.78
  %t.83 = fadd contract <8 x float> %t.48, %t.79
  %t.84 = fadd contract <8 x float> %t.49, %t.80
  %t.85 = fadd contract <8 x float> %t.50, %t.81
  store <8 x float> %t.82, ptr %place.60
  store <8 x float> %t.83, ptr %place.61
  store <8 x float> %t.84, ptr %place.62
  store <8 x float> %t.85, ptr %place.63
  %place.86 = load <8 x float>, ptr %place.60
  %place.87 = load <8 x float>, ptr %place.61
  %place.88 = load <8 x float>, ptr %place.62
  %place.89 = load <8 x float>, ptr %place.63
  %t.90 = fcmp olt <8 x float> %place.89, <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %place.92 = load <8 x float>, ptr %place.60
  %place.93 = load <8 x float>, ptr %place.61
  %place.94 = load <8 x float>, ptr %place.62
  %place.95 = load <8 x float>, ptr %place.63
  %place.96 = load <8 x float>, ptr %place.60
  %place.97 = load <8 x float>, ptr %place.61
  %place.98 = load <8 x float>, ptr %place.62
  %place.99 = load <8 x float>, ptr %place.63
  %place.100 = load <8 x float>, ptr %place.60
  %place.101 = load <8 x float>, ptr %place.61
  %place.102 = load <8 x float>, ptr %place.62
  %place.103 = load <8 x float>, ptr %place.63
  %place.104 = load <8 x float>, ptr %place.60
  %place.105 = load <8 x float>, ptr %place.61
  %place.106 = load <8 x float>, ptr %place.62
  %place.107 = load <8 x float>, ptr %place.63
  %t.108 = select <8 x i1> %t.90, <8 x float> %place.92, <8 x float> %place.104
  %t.109 = select <8 x i1> %t.90, <8 x float> %place.97, <8 x float> %place.105
  %t.110 = select <8 x i1> %t.90, <8 x float> %place.102, <8 x float> %place.106
  %t.111 = select <8 x i1> %t.90, <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>, <8 x float> %place.107
  store <8 x float> %t.108, ptr %place.60
  store <8 x float> %t.109, ptr %place.61
  store <8 x float> %t.110, ptr %place.62
  store <8 x float> %t.111, ptr %place.63
  %t.112 = sext i32 %workgroup_id.13 to i64
  %index.113 = mul i64 %t.112, 64
  %index.114 = add i64 %index.113, %local_x.29
  %place.115 = load <8 x float>, ptr %place.60
  %place.116 = load <8 x float>, ptr %place.61
  %place.117 = load <8 x float>, ptr %place.62
  %place.118 = load <8 x float>, ptr %place.63
  %t.119 = extractelement <4 x float> <float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000>, i32 0
  %t.120 = extractelement <4 x float> <float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000>, i32 1
  %t.121 = extractelement <4 x float> <float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000>, i32 2
  %t.122 = extractelement <4 x float> <float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000>, i32 3
  %t.123 = insertelement <8 x float> poison, float %t.119, i32 0
  %t.124 = shufflevector <8 x float> %t.123, <8 x float> poison, <8 x i32> zeroinitializer
  %t.125 = insertelement <8 x float> poison, float %t.120, i32 0
  %t.126 = shufflevector <8 x float> %t.125, <8 x float> poison, <8 x i32> zeroinitializer
  %t.127 = insertelement <8 x float> poison, float %t.121, i32 0
  %t.128 = shufflevector <8 x float> %t.127, <8 x float> poison, <8 x i32> zeroinitializer
  %t.129 = insertelement <8 x float> poison, float %t.122, i32 0
  %t.130 = shufflevector <8 x float> %t.129, <8 x float> poison, <8 x i32> zeroinitializer
  %t.131 = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %place.115, <8 x float> %t.124)
  %t.132 = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %place.116, <8 x float> %t.126)
  %t.133 = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %place.117, <8 x float> %t.128)
  %t.134 = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %place.118, <8 x float> %t.130)
  %t.135 = shufflevector <8 x float> %t.131, <8 x float> %t.132, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %t.136 = shufflevector <8 x float> %t.133, <8 x float> %t.134, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %t.137 = shufflevector <16 x float> %t.135, <16 x float> %t.136, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %t.138 = shufflevector <32 x float> %t.137, <32 x float> poison, <32 x i32> <i32 0, i32 8, i32 16, i32 24, i32 1, i32 9, i32 17, i32 25, i32 2, i32 10, i32 18, i32 26, i32 3, i32 11, i32 19, i32 27, i32 4, i32 12, i32 20, i32 28, i32 5, i32 13, i32 21, i32 29, i32 6, i32 14, i32 22, i32 30, i32 7, i32 15, i32 23, i32 31>
  %place.139 = getelementptr inbounds <4 x float>, ptr %buffer0, i64 %index.114
  store <32 x float> %t.138, ptr %place.139, align 16
  %t.140 = sext i32 %workgroup_id.13 to i64
  %index.141 = mul i64 %t.140, 64
  %index.142 = add i64 %index.141, %local_x.29
  %t.143 = fmul contract <8 x float> %t.56, %t.56
  %t.144 = fmul contract <8 x float> %t.57, %t.57
  %t.145 = fmul contract <8 x float> %t.58, %t.58
  %t.146 = fmul contract <8 x float> %t.59, %t.59
  %t.147 = fadd contract <8 x float> %t.143, %t.144
  %t.148 = fadd contract <8 x float> %t.147, %t.145
  %t.149 = fadd contract <8 x float> %t.148, %t.146
  %t.150 = fmul contract <8 x float> %t.149, <float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000>
  %t.151 = fadd contract <8 x float> %t.150, %t.56
  %place.152 = getelementptr inbounds float, ptr %buffer2, i64 %index.142
  store <8 x float> %t.151, ptr %place.152, align 4
  br label %local_x_next.27
local_x_next.27:
  %local_x.29.next = add nsw i64 %local_x.29, 8
  br label %local_x_head.25
local_x_end.28:
  %t.155 = icmp sgt i64 %t.24, 0
  br i1 %t.155, label %last_gang.154, label %row_end.153
last_gang.154:
  %t.156 = insertelement <8 x i64> poison, i64 %t.24, i32 0
  %t.157 = shufflevector <8 x i64> %t.156, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask.158 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %t.157
  %t.159 = mul nsw i32 %workgroup_id.13, 64
  %local_id.160 = trunc i64 %t.23 to i32
  %t.161 = insertelement <8 x i32> poison, i32 %local_id.160, i32 0
  %t.162 = shufflevector <8 x i32> %t.161, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.163 = add nsw <8 x i32> %t.162, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.164 = insertelement <8 x i32> poison, i32 %t.159, i32 0
  %t.165 = shufflevector <8 x i32> %t.164, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.166 = add nsw <8 x i32> %t.165, %t.163
  %t.167 = sext i32 %workgroup_id.13 to i64
  %index.168 = mul i64 %t.167, 64
  %index.169 = add i64 %index.168, %t.23
  %t.170 = sext i32 %workgroup_id.13 to i64
  %index.171 = mul i64 %t.170, 64
  %index.172 = add i64 %index.171, %t.23
  %t.173 = insertelement <8 x i64> poison, i64 %index.172, i32 0
  %t.174 = shufflevector <8 x i64> %t.173, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.175 = add nsw <8 x i64> %t.174, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %places.176 = getelementptr inbounds <4 x float>, ptr %buffer0, <8 x i64> %t.175
  %places.177 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places.176, i32 4, <8 x i1> %mask.158, <8 x float> poison)
  %t.178 = insertelement <8 x i64> poison, i64 %index.172, i32 0
  %t.179 = shufflevector <8 x i64> %t.178, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.180 = add nsw <8 x i64> %t.179, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %places.181 = getelementptr inbounds <4 x float>, ptr %buffer0, <8 x i64> %t.180
  %t.182 = getelementptr inbounds float, <8 x ptr> %places.181, i64 1
  %places.183 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %t.182, i32 4, <8 x i1> %mask.158, <8 x float> poison)
  %t.184 = insertelement <8 x i64> poison, i64 %index.172, i32 0
  %t.185 = shufflevector <8 x i64> %t.184, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.186 = add nsw <8 x i64> %t.185, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %places.187 = getelementptr inbounds <4 x float>, ptr %buffer0, <8 x i64> %t.186
  %t.188 = getelementptr inbounds float, <8 x ptr> %places.187, i64 2
  %places.189 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %t.188, i32 4, <8 x i1> %mask.158, <8 x float> poison)
  %t.190 = insertelement <8 x i64> poison, i64 %index.172, i32 0
  %t.191 = shufflevector <8 x i64> %t.190, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.192 = add nsw <8 x i64> %t.191, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %places.193 = getelementptr inbounds <4 x float>, ptr %buffer0, <8 x i64> %t.192
  %t.194 = getelementptr inbounds float, <8 x ptr> %places.193, i64 3
  %places.195 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %t.194, i32 4, <8 x i1> %mask.158, <8 x float> poison)
  %t.196 = sext i32 %workgroup_id.13 to i64
  %index.197 = mul i64 %t.196, 64
  %index.198 = add i64 %index.197, %t.23
  %t.199 = insertelement <8 x i64> poison, i64 %index.198, i32 0
  %t.200 = shufflevector <8 x i64> %t.199, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.201 = add nsw <8 x i64> %t.200, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %places.202 = getelementptr inbounds <4 x float>, ptr %buffer1, <8 x i64> %t.201
  %speeds.203 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places.202, i32 4, <8 x i1> %mask.158, <8 x float> poison)
  %t.204 = insertelement <8 x i64> poison, i64 %index.198, i32 0
  %t.205 = shufflevector <8 x i64> %t.204, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.206 = add nsw <8 x i64> %t.205, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %places.207 = getelementptr inbounds <4 x float>, ptr %buffer1, <8 x i64> %t.206
  %t.208 = getelementptr inbounds float, <8 x ptr> %places.207, i64 1
  %speeds.209 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %t.208, i32 4, <8 x i1> %mask.158, <8 x float> poison)
  %t.210 = insertelement <8 x i64> poison, i64 %index.198, i32 0
  %t.211 = shufflevector <8 x i64> %t.210, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.212 = add nsw <8 x i64> %t.211, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %places.213 = getelementptr inbounds <4 x float>, ptr %buffer1, <8 x i64> %t.212
  %t.214 = getelementptr inbounds float, <8 x ptr> %places.213, i64 2
  %speeds.215 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %t.214, i32 4, <8 x i1> %mask.158, <8 x float> poison)
  %t.216 = insertelement <8 x i64> poison, i64 %index.198, i32 0
  %t.217 = shufflevector <8 x i64> %t.216, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.218 = add nsw <8 x i64> %t.217, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %places.219 = getelementptr inbounds <4 x float>, ptr %buffer1, <8 x i64> %t.218
  %t.220 = getelementptr inbounds float, <8 x ptr> %places.219, i64 3
  %speeds.221 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %t.220, i32 4, <8 x i1> %mask.158, <8 x float> poison)
  %t.226 = insertelement <4 x float> poison, float %param1, i32 0
  %t.227 = shufflevector <4 x float> %t.226, <4 x float> poison, <4 x i32> zeroinitializer
  %t.228 = extractelement <4 x float> %t.227, i32 0
  %t.229 = extractelement <4 x float> %t.227, i32 1
  %t.230 = extractelement <4 x float> %t.227, i32 2
  %t.231 = extractelement <4 x float> %t.227, i32 3
  %t.232 = insertelement <8 x float> poison, float %t.228, i32 0
  %t.233 = shufflevector <8 x float> %t.232, <8 x float> poison, <8 x i32> zeroinitializer
  %t.234 = insertelement <8 x float> poison, float %t.229, i32 0
  %t.235 = shufflevector <8 x float> %t.234, <8 x float> poison, <8 x i32> zeroinitializer
  %t.236 = insertelement <8 x float> poison, float %t.230, i32 0
  %t.237 = shufflevector <8 x float> %t.236, <8 x float> poison, <8 x i32> zeroinitializer
  %t.238 = insertelement <8 x float> poison, float %t.231, i32 0
  %t.239 = shufflevector <8 x float> %t.238, <8 x float> poison, <8 x i32> zeroinitializer
  %t.240 = fmul contract <8 x float> %speeds.203, %t.233
  %t.241 = fmul contract <8 x float> %speeds.209, %t.235
  %t.242 = fmul contract <8 x float> %speeds.215, %t.237
  %t.243 = fmul contract <8 x float> %speeds.221, %t.239
  %t.244 = fadd contract <8 x float> %places.177, %t.240
  %t.245 = fadd contract <8 x float> %places.183, %t.241
  %t.246 = fadd contract <8 x float> %places.189, %t.242
  %t.247 = fadd contract <8 x float> %places.195, %t.243
  store <8 x float> %t.244, ptr %place.222
  store <8 x float> %t.245, ptr %place.223
  store <8 x float> %t.246, ptr %place.224
  store <8 x float> %t.247, ptr %place.225
  %place.248 = load <8 x float>, ptr %place.222
  %place.249 = load <8 x float>, ptr %place.223
  %place.250 = load <8 x float>, ptr %place.224
  %place.251 = load <8 x float>, ptr %place.225
  %t.252 = fcmp olt <8 x float> %place.251, <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.254 = and <8 x i1> %mask.158, %t.252
  %place.255 = load <8 x float>, ptr %place.222
  %place.256 = load <8 x float>, ptr %place.223
  %place.257 = load <8 x float>, ptr %place.224
  %place.258 = load <8 x float>, ptr %place.225
  %place.259 = load <8 x float>, ptr %place.222
  %place.260 = load <8 x float>, ptr %place.223
  %place.261 = load <8 x float>, ptr %place.224
  %place.262 = load <8 x float>, ptr %place.225
  %place.263 = load <8 x float>, ptr %place.222
  %place.264 = load <8 x float>, ptr %place.223
  %place.265 = load <8 x float>, ptr %place.224
  %place.266 = load <8 x float>, ptr %place.225
  %place.267 = load <8 x float>, ptr %place.222
  %place.268 = load <8 x float>, ptr %place.223
  %place.269 = load <8 x float>, ptr %place.224
  %place.270 = load <8 x float>, ptr %place.225
  %t.271 = select <8 x i1> %t.254, <8 x float> %place.255, <8 x float> %place.267
  %t.272 = select <8 x i1> %t.254, <8 x float> %place.260, <8 x float> %place.268
  %t.273 = select <8 x i1> %t.254, <8 x float> %place.265, <8 x float> %place.269
  %t.274 = select <8 x i1> %t.254, <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>, <8 x float> %place.270
  store <8 x float> %t.271, ptr %place.222
  store <8 x float> %t.272, ptr %place.223
  store <8 x float> %t.273, ptr %place.224
  store <8 x float> %t.274, ptr %place.225
  %t.275 = sext i32 %workgroup_id.13 to i64
  %index.276 = mul i64 %t.275, 64
  %index.277 = add i64 %index.276, %t.23
  %place.278 = load <8 x float>, ptr %place.222
  %place.279 = load <8 x float>, ptr %place.223
  %place.280 = load <8 x float>, ptr %place.224
  %place.281 = load <8 x float>, ptr %place.225
  %t.282 = extractelement <4 x float> <float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000>, i32 0
  %t.283 = extractelement <4 x float> <float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000>, i32 1
  %t.284 = extractelement <4 x float> <float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000>, i32 2
  %t.285 = extractelement <4 x float> <float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000>, i32 3
  %t.286 = insertelement <8 x float> poison, float %t.282, i32 0
  %t.287 = shufflevector <8 x float> %t.286, <8 x float> poison, <8 x i32> zeroinitializer
  %t.288 = insertelement <8 x float> poison, float %t.283, i32 0
  %t.289 = shufflevector <8 x float> %t.288, <8 x float> poison, <8 x i32> zeroinitializer
  %t.290 = insertelement <8 x float> poison, float %t.284, i32 0
  %t.291 = shufflevector <8 x float> %t.290, <8 x float> poison, <8 x i32> zeroinitializer
  %t.292 = insertelement <8 x float> poison, float %t.285, i32 0
  %t.293 = shufflevector <8 x float> %t.292, <8 x float> poison, <8 x i32> zeroinitializer
  %t.294 = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %place.278, <8 x float> %t.287)
  %t.295 = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %place.279, <8 x float> %t.289)
  %t.296 = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %place.280, <8 x float> %t.291)
  %t.297 = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %place.281, <8 x float> %t.293)
  %t.298 = insertelement <8 x i64> poison, i64 %index.277, i32 0
  %t.299 = shufflevector <8 x i64> %t.298, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.300 = add nsw <8 x i64> %t.299, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %places.301 = getelementptr inbounds <4 x float>, ptr %buffer0, <8 x i64> %t.300
  call void @llvm.masked.scatter.v8f32.v8p0(<8 x float> %t.294, <8 x ptr> %places.301, i32 4, <8 x i1> %mask.158)
  %t.302 = insertelement <8 x i64> poison, i64 %index.277, i32 0
  %t.303 = shufflevector <8 x i64> %t.302, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.304 = add nsw <8 x i64> %t.303, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %places.305 = getelementptr inbounds <4 x float>, ptr %buffer0, <8 x i64> %t.304
  %t.306 = getelementptr inbounds float, <8 x ptr> %places.305, i64 1
  call void @llvm.masked.scatter.v8f32.v8p0(<8 x float> %t.295, <8 x ptr> %t.306, i32 4, <8 x i1> %mask.158)
  %t.307 = insertelement <8 x i64> poison, i64 %index.277, i32 0
  %t.308 = shufflevector <8 x i64> %t.307, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.309 = add nsw <8 x i64> %t.308, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %places.310 = getelementptr inbounds <4 x float>, ptr %buffer0, <8 x i64> %t.309
  %t.311 = getelementptr inbounds float, <8 x ptr> %places.310, i64 2
  call void @llvm.masked.scatter.v8f32.v8p0(<8 x float> %t.296, <8 x ptr> %t.311, i32 4, <8 x i1> %mask.158)
  %t.312 = insertelement <8 x i64> poison, i64 %index.277, i32 0
  %t.313 = shufflevector <8 x i64> %t.312, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.314 = add nsw <8 x i64> %t.313, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %places.315 = getelementptr inbounds <4 x float>, ptr %buffer0, <8 x i64> %t.314
  %t.316 = getelementptr inbounds float, <8 x ptr> %places.315, i64 3
  call void @llvm.masked.scatter.v8f32.v8p0(<8 x float> %t.297, <8 x ptr> %t.316, i32 4, <8 x i1> %mask.158)
  %t.317 = sext i32 %workgroup_id.13 to i64
  %index.318 = mul i64 %t.317, 64
  %index.319 = add i64 %index.318, %t.23
  %t.320 = fmul contract <8 x float> %speeds.203, %speeds.203
  %t.321 = fmul contract <8 x float> %speeds.209, %speeds.209
  %t.322 = fmul contract <8 x float> %speeds.215, %speeds.215
  %t.323 = fmul contract <8 x float> %speeds.221, %speeds.221
  %t.324 = fadd contract <8 x float> %t.320, %t.321
  %t.325 = fadd contract <8 x float> %t.324, %t.322
  %t.326 = fadd contract <8 x float> %t.325, %t.323
  %t.327 = fmul contract <8 x float> %t.326, <float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000>
  %t.328 = fadd contract <8 x float> %t.327, %speeds.203
  %place.329 = getelementptr inbounds float, ptr %buffer2, i64 %index.319
  call void @llvm.masked.store.v8f32.p0(<8 x float> %t.328, ptr %place.329, i32 4, <8 x i1> %mask.158)
  br label %row_end.153
row_end.153:
  br label %workgroup_next.3
workgroup_next.3:
  %workgroup.5.next = add nsw i64 %workgroup.5, 1
  br label %workgroup_head.1
workgroup_end.4:
  ret void
}

declare <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr>, i32, <8 x i1>, <8 x float>)
declare void @llvm.masked.scatter.v8f32.v8p0(<8 x float>, <8 x ptr>, i32, <8 x i1>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)
declare <8 x float> @llvm.maxnum.v8f32(<8 x float>, <8 x float>)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
