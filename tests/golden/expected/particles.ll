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
  %workgroup_id.7 = alloca i32, align 4
  %workgroup_id.9 = alloca i32, align 4
  %workgroup_id.11 = alloca i32, align 4
  %place.66 = alloca <8 x float>, align 32
  %place.67 = alloca <8 x float>, align 32
  %place.68 = alloca <8 x float>, align 32
  %place.69 = alloca <8 x float>, align 32
  %place.228 = alloca <8 x float>, align 32
  %place.229 = alloca <8 x float>, align 32
  %place.230 = alloca <8 x float>, align 32
  %place.231 = alloca <8 x float>, align 32
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
  %place.51 = getelementptr inbounds <4 x float>, ptr %buffer0, i64 %index.50
  %places.52 = load <32 x float>, ptr %place.51, align 16
  %t.53 = shufflevector <32 x float> %places.52, <32 x float> poison, <8 x i32> <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28>
  %t.54 = shufflevector <32 x float> %places.52, <32 x float> poison, <8 x i32> <i32 1, i32 5, i32 9, i32 13, i32 17, i32 21, i32 25, i32 29>
  %t.55 = shufflevector <32 x float> %places.52, <32 x float> poison, <8 x i32> <i32 2, i32 6, i32 10, i32 14, i32 18, i32 22, i32 26, i32 30>
  %t.56 = shufflevector <32 x float> %places.52, <32 x float> poison, <8 x i32> <i32 3, i32 7, i32 11, i32 15, i32 19, i32 23, i32 27, i32 31>
  %t.57 = sext i32 %workgroup_id.19 to i64
  %index.58 = mul i64 %t.57, 64
  %index.59 = add i64 %index.58, %local_x.35
  %place.60 = getelementptr inbounds <4 x float>, ptr %buffer1, i64 %index.59
  %speeds.61 = load <32 x float>, ptr %place.60, align 16
  %t.62 = shufflevector <32 x float> %speeds.61, <32 x float> poison, <8 x i32> <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28>
  %t.63 = shufflevector <32 x float> %speeds.61, <32 x float> poison, <8 x i32> <i32 1, i32 5, i32 9, i32 13, i32 17, i32 21, i32 25, i32 29>
  %t.64 = shufflevector <32 x float> %speeds.61, <32 x float> poison, <8 x i32> <i32 2, i32 6, i32 10, i32 14, i32 18, i32 22, i32 26, i32 30>
  %t.65 = shufflevector <32 x float> %speeds.61, <32 x float> poison, <8 x i32> <i32 3, i32 7, i32 11, i32 15, i32 19, i32 23, i32 27, i32 31>
  %t.70 = insertelement <4 x float> poison, float %param1, i32 0
  %t.71 = shufflevector <4 x float> %t.70, <4 x float> poison, <4 x i32> zeroinitializer
  %t.72 = extractelement <4 x float> %t.71, i32 0
  %t.73 = extractelement <4 x float> %t.71, i32 1
  %t.74 = extractelement <4 x float> %t.71, i32 2
  %t.75 = extractelement <4 x float> %t.71, i32 3
  %t.76 = insertelement <8 x float> poison, float %t.72, i32 0
  %t.77 = shufflevector <8 x float> %t.76, <8 x float> poison, <8 x i32> zeroinitializer
  %t.78 = insertelement <8 x float> poison, float %t.73, i32 0
  %t.79 = shufflevector <8 x float> %t.78, <8 x float> poison, <8 x i32> zeroinitializer
  %t.80 = insertelement <8 x float> poison, float %t.74, i32 0
  %t.81 = shufflevector <8 x float> %t.80, <8 x float> poison, <8 x i32> zeroinitializer
  %t.82 = insertelement <8 x float> poison, float %t.75, i32 0
  %t.83 = shufflevector <8 x float> %t.82, <8 x float> poison, <8 x i32> zeroinitializer
  %t.84 = fmul contract <8 x float> %t.62, %t.77
  %t.85 = fmul contract <8 x float> %t.63, %t.79
  %t.86 = fmul contract <8 x float> %t.64, %t.81
  %t.87 = fmul contract <8 x float> %t.65, %t.83
  %t.88 = fadd contract <8 x float> %t.53, %t.84
  %t.89 = fadd contract <8 x float> %t.54, %t.85
  %t.90 = fadd contract <8 x float> %t.55, %t.86
  %t.91 = fadd contract <8 x float> %t.56, %t.87
  store <8 x float> %t.88, ptr %place.66
  store <8 x float> %t.89, ptr %place.67
  store <8 x float> %t.90, ptr %place.68
  store <8 x float> %t.91, ptr %place.69
  %place.92 = load <8 x float>, ptr %place.66
  %place.93 = load <8 x float>, ptr %place.67
  %place.94 = load <8 x float>, ptr %place.68
  %place.95 = load <8 x float>, ptr %place.69
  %t.96 = fcmp olt <8 x float> %place.95, <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %place.98 = load <8 x float>, ptr %place.66
  %place.99 = load <8 x float>, ptr %place.67
  %place.100 = load <8 x float>, ptr %place.68
  %place.101 = load <8 x float>, ptr %place.69
  %place.102 = load <8 x float>, ptr %place.66
  %place.103 = load <8 x float>, ptr %place.67
  %place.104 = load <8 x float>, ptr %place.68
  %place.105 = load <8 x float>, ptr %place.69
  %place.106 = load <8 x float>, ptr %place.66
  %place.107 = load <8 x float>, ptr %place.67
  %place.108 = load <8 x float>, ptr %place.68
  %place.109 = load <8 x float>, ptr %place.69
  %place.110 = load <8 x float>, ptr %place.66
  %place.111 = load <8 x float>, ptr %place.67
  %place.112 = load <8 x float>, ptr %place.68
  %place.113 = load <8 x float>, ptr %place.69
  %t.114 = select <8 x i1> %t.96, <8 x float> %place.98, <8 x float> %place.110
  %t.115 = select <8 x i1> %t.96, <8 x float> %place.103, <8 x float> %place.111
  %t.116 = select <8 x i1> %t.96, <8 x float> %place.108, <8 x float> %place.112
  %t.117 = select <8 x i1> %t.96, <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>, <8 x float> %place.113
  store <8 x float> %t.114, ptr %place.66
  store <8 x float> %t.115, ptr %place.67
  store <8 x float> %t.116, ptr %place.68
  store <8 x float> %t.117, ptr %place.69
  %t.118 = sext i32 %workgroup_id.19 to i64
  %index.119 = mul i64 %t.118, 64
  %index.120 = add i64 %index.119, %local_x.35
  %place.121 = load <8 x float>, ptr %place.66
  %place.122 = load <8 x float>, ptr %place.67
  %place.123 = load <8 x float>, ptr %place.68
  %place.124 = load <8 x float>, ptr %place.69
  %t.125 = extractelement <4 x float> <float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000>, i32 0
  %t.126 = extractelement <4 x float> <float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000>, i32 1
  %t.127 = extractelement <4 x float> <float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000>, i32 2
  %t.128 = extractelement <4 x float> <float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000>, i32 3
  %t.129 = insertelement <8 x float> poison, float %t.125, i32 0
  %t.130 = shufflevector <8 x float> %t.129, <8 x float> poison, <8 x i32> zeroinitializer
  %t.131 = insertelement <8 x float> poison, float %t.126, i32 0
  %t.132 = shufflevector <8 x float> %t.131, <8 x float> poison, <8 x i32> zeroinitializer
  %t.133 = insertelement <8 x float> poison, float %t.127, i32 0
  %t.134 = shufflevector <8 x float> %t.133, <8 x float> poison, <8 x i32> zeroinitializer
  %t.135 = insertelement <8 x float> poison, float %t.128, i32 0
  %t.136 = shufflevector <8 x float> %t.135, <8 x float> poison, <8 x i32> zeroinitializer
  %t.137 = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %place.121, <8 x float> %t.130)
  %t.138 = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %place.122, <8 x float> %t.132)
  %t.139 = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %place.123, <8 x float> %t.134)
  %t.140 = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %place.124, <8 x float> %t.136)
  %t.141 = shufflevector <8 x float> %t.137, <8 x float> %t.138, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %t.142 = shufflevector <8 x float> %t.139, <8 x float> %t.140, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %t.143 = shufflevector <16 x float> %t.141, <16 x float> %t.142, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %t.144 = shufflevector <32 x float> %t.143, <32 x float> poison, <32 x i32> <i32 0, i32 8, i32 16, i32 24, i32 1, i32 9, i32 17, i32 25, i32 2, i32 10, i32 18, i32 26, i32 3, i32 11, i32 19, i32 27, i32 4, i32 12, i32 20, i32 28, i32 5, i32 13, i32 21, i32 29, i32 6, i32 14, i32 22, i32 30, i32 7, i32 15, i32 23, i32 31>
  %place.145 = getelementptr inbounds <4 x float>, ptr %buffer0, i64 %index.120
  store <32 x float> %t.144, ptr %place.145, align 16
  %t.146 = sext i32 %workgroup_id.19 to i64
  %index.147 = mul i64 %t.146, 64
  %index.148 = add i64 %index.147, %local_x.35
  %t.149 = fmul contract <8 x float> %t.62, %t.62
  %t.150 = fmul contract <8 x float> %t.63, %t.63
  %t.151 = fmul contract <8 x float> %t.64, %t.64
  %t.152 = fmul contract <8 x float> %t.65, %t.65
  %t.153 = fadd contract <8 x float> %t.149, %t.150
  %t.154 = fadd contract <8 x float> %t.153, %t.151
  %t.155 = fadd contract <8 x float> %t.154, %t.152
  %t.156 = fmul contract <8 x float> %t.155, <float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000>
  %t.157 = fadd contract <8 x float> %t.156, %t.62
  %place.158 = getelementptr inbounds float, ptr %buffer2, i64 %index.148
  store <8 x float> %t.157, ptr %place.158, align 32 ; may stream
  br label %local_x_next.33
local_x_next.33:
  %local_x.35.next = add nsw i64 %local_x.35, 8
  br label %local_x_head.31
local_x_end.34:
  %t.161 = icmp sgt i64 %t.30, 0
  br i1 %t.161, label %last_gang.160, label %row_end.159
last_gang.160:
  %t.162 = insertelement <8 x i64> poison, i64 %t.30, i32 0
  %t.163 = shufflevector <8 x i64> %t.162, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask.164 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %t.163
  %t.165 = mul nsw i32 %workgroup_id.19, 64
  %local_id.166 = trunc i64 %t.29 to i32
  %t.167 = insertelement <8 x i32> poison, i32 %local_id.166, i32 0
  %t.168 = shufflevector <8 x i32> %t.167, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.169 = add nsw <8 x i32> %t.168, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.170 = insertelement <8 x i32> poison, i32 %t.165, i32 0
  %t.171 = shufflevector <8 x i32> %t.170, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.172 = add nsw <8 x i32> %t.171, %t.169
  %t.173 = sext i32 %workgroup_id.19 to i64
  %index.174 = mul i64 %t.173, 64
  %index.175 = add i64 %index.174, %t.29
  %t.176 = sext i32 %workgroup_id.19 to i64
  %index.177 = mul i64 %t.176, 64
  %index.178 = add i64 %index.177, %t.29
  %t.179 = insertelement <8 x i64> poison, i64 %index.178, i32 0
  %t.180 = shufflevector <8 x i64> %t.179, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.181 = add nsw <8 x i64> %t.180, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %places.182 = getelementptr inbounds <4 x float>, ptr %buffer0, <8 x i64> %t.181
  %places.183 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places.182, i32 4, <8 x i1> %mask.164, <8 x float> poison)
  %t.184 = insertelement <8 x i64> poison, i64 %index.178, i32 0
  %t.185 = shufflevector <8 x i64> %t.184, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.186 = add nsw <8 x i64> %t.185, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %places.187 = getelementptr inbounds <4 x float>, ptr %buffer0, <8 x i64> %t.186
  %t.188 = getelementptr inbounds float, <8 x ptr> %places.187, i64 1
  %places.189 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %t.188, i32 4, <8 x i1> %mask.164, <8 x float> poison)
  %t.190 = insertelement <8 x i64> poison, i64 %index.178, i32 0
  %t.191 = shufflevector <8 x i64> %t.190, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.192 = add nsw <8 x i64> %t.191, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %places.193 = getelementptr inbounds <4 x float>, ptr %buffer0, <8 x i64> %t.192
  %t.194 = getelementptr inbounds float, <8 x ptr> %places.193, i64 2
  %places.195 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %t.194, i32 4, <8 x i1> %mask.164, <8 x float> poison)
  %t.196 = insertelement <8 x i64> poison, i64 %index.178, i32 0
  %t.197 = shufflevector <8 x i64> %t.196, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.198 = add nsw <8 x i64> %t.197, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %places.199 = getelementptr inbounds <4 x float>, ptr %buffer0, <8 x i64> %t.198
  %t.200 = getelementptr inbounds float, <8 x ptr> %places.199, i64 3
  %places.201 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %t.200, i32 4, <8 x i1> %mask.164, <8 x float> poison)
  %t.202 = sext i32 %workgroup_id.19 to i64
  %index.203 = mul i64 %t.202, 64
  %index.204 = add i64 %index.203, %t.29
  %t.205 = insertelement <8 x i64> poison, i64 %index.204, i32 0
  %t.206 = shufflevector <8 x i64> %t.205, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.207 = add nsw <8 x i64> %t.206, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %places.208 = getelementptr inbounds <4 x float>, ptr %buffer1, <8 x i64> %t.207
  %speeds.209 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places.208, i32 4, <8 x i1> %mask.164, <8 x float> poison)
  %t.210 = insertelement <8 x i64> poison, i64 %index.204, i32 0
  %t.211 = shufflevector <8 x i64> %t.210, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.212 = add nsw <8 x i64> %t.211, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %places.213 = getelementptr inbounds <4 x float>, ptr %buffer1, <8 x i64> %t.212
  %t.214 = getelementptr inbounds float, <8 x ptr> %places.213, i64 1
  %speeds.215 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %t.214, i32 4, <8 x i1> %mask.164, <8 x float> poison)
  %t.216 = insertelement <8 x i64> poison, i64 %index.204, i32 0
  %t.217 = shufflevector <8 x i64> %t.216, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.218 = add nsw <8 x i64> %t.217, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %places.219 = getelementptr inbounds <4 x float>, ptr %buffer1, <8 x i64> %t.218
  %t.220 = getelementptr inbounds float, <8 x ptr> %places.219, i64 2
  %speeds.221 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %t.220, i32 4, <8 x i1> %mask.164, <8 x float> poison)
  %t.222 = insertelement <8 x i64> poison, i64 %index.204, i32 0
  %t.223 = shufflevector <8 x i64> %t.222, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.224 = add nsw <8 x i64> %t.223, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %places.225 = getelementptr inbounds <4 x float>, ptr %buffer1, <8 x i64> %t.224
  %t.226 = getelementptr inbounds float, <8 x ptr> %places.225, i64 3
  %speeds.227 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %t.226, i32 4, <8 x i1> %mask.164, <8 x float> poison)
  %t.232 = insertelement <4 x float> poison, float %param1, i32 0
  %t.233 = shufflevector <4 x float> %t.232, <4 x float> poison, <4 x i32> zeroinitializer
  %t.234 = extractelement <4 x float> %t.233, i32 0
  %t.235 = extractelement <4 x float> %t.233, i32 1
  %t.236 = extractelement <4 x float> %t.233, i32 2
  %t.237 = extractelement <4 x float> %t.233, i32 3
  %t.238 = insertelement <8 x float> poison, float %t.234, i32 0
  %t.239 = shufflevector <8 x float> %t.238, <8 x float> poison, <8 x i32> zeroinitializer
  %t.240 = insertelement <8 x float> poison, float %t.235, i32 0
  %t.241 = shufflevector <8 x float> %t.240, <8 x float> poison, <8 x i32> zeroinitializer
  %t.242 = insertelement <8 x float> poison, float %t.236, i32 0
  %t.243 = shufflevector <8 x float> %t.242, <8 x float> poison, <8 x i32> zeroinitializer
  %t.244 = insertelement <8 x float> poison, float %t.237, i32 0
  %t.245 = shufflevector <8 x float> %t.244, <8 x float> poison, <8 x i32> zeroinitializer
  %t.246 = fmul contract <8 x float> %speeds.209, %t.239
  %t.247 = fmul contract <8 x float> %speeds.215, %t.241
  %t.248 = fmul contract <8 x float> %speeds.221, %t.243
  %t.249 = fmul contract <8 x float> %speeds.227, %t.245
  %t.250 = fadd contract <8 x float> %places.183, %t.246
  %t.251 = fadd contract <8 x float> %places.189, %t.247
  %t.252 = fadd contract <8 x float> %places.195, %t.248
  %t.253 = fadd contract <8 x float> %places.201, %t.249
  store <8 x float> %t.250, ptr %place.228
  store <8 x float> %t.251, ptr %place.229
  store <8 x float> %t.252, ptr %place.230
  store <8 x float> %t.253, ptr %place.231
  %place.254 = load <8 x float>, ptr %place.228
  %place.255 = load <8 x float>, ptr %place.229
  %place.256 = load <8 x float>, ptr %place.230
  %place.257 = load <8 x float>, ptr %place.231
  %t.258 = fcmp olt <8 x float> %place.257, <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.260 = select <8 x i1> %mask.164, <8 x i1> %t.258, <8 x i1> zeroinitializer
  %place.261 = load <8 x float>, ptr %place.228
  %place.262 = load <8 x float>, ptr %place.229
  %place.263 = load <8 x float>, ptr %place.230
  %place.264 = load <8 x float>, ptr %place.231
  %place.265 = load <8 x float>, ptr %place.228
  %place.266 = load <8 x float>, ptr %place.229
  %place.267 = load <8 x float>, ptr %place.230
  %place.268 = load <8 x float>, ptr %place.231
  %place.269 = load <8 x float>, ptr %place.228
  %place.270 = load <8 x float>, ptr %place.229
  %place.271 = load <8 x float>, ptr %place.230
  %place.272 = load <8 x float>, ptr %place.231
  %place.273 = load <8 x float>, ptr %place.228
  %place.274 = load <8 x float>, ptr %place.229
  %place.275 = load <8 x float>, ptr %place.230
  %place.276 = load <8 x float>, ptr %place.231
  %t.277 = select <8 x i1> %t.260, <8 x float> %place.261, <8 x float> %place.273
  %t.278 = select <8 x i1> %t.260, <8 x float> %place.266, <8 x float> %place.274
  %t.279 = select <8 x i1> %t.260, <8 x float> %place.271, <8 x float> %place.275
  %t.280 = select <8 x i1> %t.260, <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>, <8 x float> %place.276
  store <8 x float> %t.277, ptr %place.228
  store <8 x float> %t.278, ptr %place.229
  store <8 x float> %t.279, ptr %place.230
  store <8 x float> %t.280, ptr %place.231
  %t.281 = sext i32 %workgroup_id.19 to i64
  %index.282 = mul i64 %t.281, 64
  %index.283 = add i64 %index.282, %t.29
  %place.284 = load <8 x float>, ptr %place.228
  %place.285 = load <8 x float>, ptr %place.229
  %place.286 = load <8 x float>, ptr %place.230
  %place.287 = load <8 x float>, ptr %place.231
  %t.288 = extractelement <4 x float> <float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000>, i32 0
  %t.289 = extractelement <4 x float> <float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000>, i32 1
  %t.290 = extractelement <4 x float> <float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000>, i32 2
  %t.291 = extractelement <4 x float> <float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000>, i32 3
  %t.292 = insertelement <8 x float> poison, float %t.288, i32 0
  %t.293 = shufflevector <8 x float> %t.292, <8 x float> poison, <8 x i32> zeroinitializer
  %t.294 = insertelement <8 x float> poison, float %t.289, i32 0
  %t.295 = shufflevector <8 x float> %t.294, <8 x float> poison, <8 x i32> zeroinitializer
  %t.296 = insertelement <8 x float> poison, float %t.290, i32 0
  %t.297 = shufflevector <8 x float> %t.296, <8 x float> poison, <8 x i32> zeroinitializer
  %t.298 = insertelement <8 x float> poison, float %t.291, i32 0
  %t.299 = shufflevector <8 x float> %t.298, <8 x float> poison, <8 x i32> zeroinitializer
  %t.300 = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %place.284, <8 x float> %t.293)
  %t.301 = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %place.285, <8 x float> %t.295)
  %t.302 = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %place.286, <8 x float> %t.297)
  %t.303 = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %place.287, <8 x float> %t.299)
  %t.304 = insertelement <8 x i64> poison, i64 %index.283, i32 0
  %t.305 = shufflevector <8 x i64> %t.304, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.306 = add nsw <8 x i64> %t.305, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %places.307 = getelementptr inbounds <4 x float>, ptr %buffer0, <8 x i64> %t.306
  call void @llvm.masked.scatter.v8f32.v8p0(<8 x float> %t.300, <8 x ptr> %places.307, i32 4, <8 x i1> %mask.164)
  %t.308 = insertelement <8 x i64> poison, i64 %index.283, i32 0
  %t.309 = shufflevector <8 x i64> %t.308, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.310 = add nsw <8 x i64> %t.309, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %places.311 = getelementptr inbounds <4 x float>, ptr %buffer0, <8 x i64> %t.310
  %t.312 = getelementptr inbounds float, <8 x ptr> %places.311, i64 1
  call void @llvm.masked.scatter.v8f32.v8p0(<8 x float> %t.301, <8 x ptr> %t.312, i32 4, <8 x i1> %mask.164)
  %t.313 = insertelement <8 x i64> poison, i64 %index.283, i32 0
  %t.314 = shufflevector <8 x i64> %t.313, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.315 = add nsw <8 x i64> %t.314, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %places.316 = getelementptr inbounds <4 x float>, ptr %buffer0, <8 x i64> %t.315
  %t.317 = getelementptr inbounds float, <8 x ptr> %places.316, i64 2
  call void @llvm.masked.scatter.v8f32.v8p0(<8 x float> %t.302, <8 x ptr> %t.317, i32 4, <8 x i1> %mask.164)
  %t.318 = insertelement <8 x i64> poison, i64 %index.283, i32 0
  %t.319 = shufflevector <8 x i64> %t.318, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.320 = add nsw <8 x i64> %t.319, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %places.321 = getelementptr inbounds <4 x float>, ptr %buffer0, <8 x i64> %t.320
  %t.322 = getelementptr inbounds float, <8 x ptr> %places.321, i64 3
  call void @llvm.masked.scatter.v8f32.v8p0(<8 x float> %t.303, <8 x ptr> %t.322, i32 4, <8 x i1> %mask.164)
  %t.323 = sext i32 %workgroup_id.19 to i64
  %index.324 = mul i64 %t.323, 64
  %index.325 = add i64 %index.324, %t.29
  %t.326 = fmul contract <8 x float> %speeds.209, %speeds.209
  %t.327 = fmul contract <8 x float> %speeds.215, %speeds.215
  %t.328 = fmul contract <8 x float> %speeds.221, %speeds.221
  %t.329 = fmul contract <8 x float> %speeds.227, %speeds.227
  %t.330 = fadd contract <8 x float> %t.326, %t.327
  %t.331 = fadd contract <8 x float> %t.330, %t.328
  %t.332 = fadd contract <8 x float> %t.331, %t.329
  %t.333 = fmul contract <8 x float> %t.332, <float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000>
  %t.334 = fadd contract <8 x float> %t.333, %speeds.209
  %place.335 = getelementptr float, ptr %buffer2, i64 %index.325
  call void @llvm.masked.store.v8f32.p0(<8 x float> %t.334, ptr %place.335, i32 4, <8 x i1> %mask.164)
  br label %row_end.159
row_end.159:
  %t.336 = zext i1 true to i32
  %t.337 = add nuw i32 %workgroup_id.19, %t.336
  %t.338 = icmp eq i32 %t.337, %gx
  %t.339 = select i1 %t.338, i32 0, i32 %t.337
  store i32 %t.339, ptr %workgroup_id.7
  %t.340 = zext i1 %t.338 to i32
  %t.341 = add nuw i32 %workgroup_id.20, %t.340
  %t.342 = icmp eq i32 %t.341, %gy
  %t.343 = select i1 %t.342, i32 0, i32 %t.341
  store i32 %t.343, ptr %workgroup_id.9
  %t.344 = zext i1 %t.342 to i32
  %t.345 = add nuw i32 %workgroup_id.21, %t.344
  %t.346 = icmp eq i32 %t.345, %gz
  %t.347 = select i1 %t.346, i32 0, i32 %t.345
  store i32 %t.347, ptr %workgroup_id.11
  br label %workgroup_next.15
workgroup_next.15:
  %workgroup.17.next = add nsw i64 %workgroup.17, 1
  br label %workgroup_head.13
workgroup_end.16:
  ret void
}

declare <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr>, i32, <8 x i1>, <8 x float>)
declare void @llvm.masked.scatter.v8f32.v8p0(<8 x float>, <8 x ptr>, i32, <8 x i1>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)
declare <8 x float> @llvm.maxnum.v8f32(<8 x float>, <8 x float>)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
