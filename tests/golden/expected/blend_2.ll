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
  %t.19 = sext i32 %param1 to i64
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
  %t.42 = zext i32 %param6 to i64
  %t.43 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.44 = shufflevector <8 x i32> %t.43, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.45 = add <8 x i32> %t.38, %t.44
  %t.46 = sub nsw i32 %param0, 1
  %t.47 = insertelement <8 x i32> poison, i32 %t.46, i32 0
  %t.48 = shufflevector <8 x i32> %t.47, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.49 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.45, <8 x i32> %t.48)
  %t.50 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.51 = shufflevector <8 x i32> %t.50, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.52 = add <8 x i32> %t.38, %t.51
  %t.53 = sub nsw i32 %param0, 1
  %t.54 = insertelement <8 x i32> poison, i32 %t.53, i32 0
  %t.55 = shufflevector <8 x i32> %t.54, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.56 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.52, <8 x i32> %t.55)
  %t.57 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.58 = shufflevector <8 x i32> %t.57, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.59 = add <8 x i32> %t.38, %t.58
  %t.60 = sub nsw i32 %param0, 1
  %t.61 = insertelement <8 x i32> poison, i32 %t.60, i32 0
  %t.62 = shufflevector <8 x i32> %t.61, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.63 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.59, <8 x i32> %t.62)
  %t.64 = insertelement <8 x i32> poison, i32 %param6, i32 0
  %t.65 = shufflevector <8 x i32> %t.64, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.66 = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %t.63, <8 x i32> %t.65)
  %t.67 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.68 = shufflevector <8 x i32> %t.67, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.69 = add <8 x i32> %t.38, %t.68
  %t.70 = sub nsw i32 %param0, 1
  %t.71 = insertelement <8 x i32> poison, i32 %t.70, i32 0
  %t.72 = shufflevector <8 x i32> %t.71, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.73 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.69, <8 x i32> %t.72)
  %t.74 = insertelement <8 x i32> poison, i32 %param6, i32 0
  %t.75 = shufflevector <8 x i32> %t.74, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.76 = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %t.73, <8 x i32> %t.75)
  %t.77 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.78 = shufflevector <8 x i32> %t.77, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.79 = add <8 x i32> %t.38, %t.78
  %t.80 = sub nsw i32 %param0, 1
  %t.81 = insertelement <8 x i32> poison, i32 %t.80, i32 0
  %t.82 = shufflevector <8 x i32> %t.81, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.83 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.79, <8 x i32> %t.82)
  %t.84 = insertelement <8 x i32> poison, i32 %param6, i32 0
  %t.85 = shufflevector <8 x i32> %t.84, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.86 = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %t.83, <8 x i32> %t.85)
  %t.87 = zext <8 x i32> %t.86 to <8 x i64>
  %places.88 = getelementptr inbounds float, ptr %buffer0, <8 x i64> %t.87
  %x.89 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places.88, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> poison)
  %t.90 = fmul contract <8 x float> %x.89, %x.89
  %t.91 = fsub contract <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>, %t.90
  %t.92 = insertelement <8 x float> poison, float %param2, i32 0
  %t.93 = shufflevector <8 x float> %t.92, <8 x float> poison, <8 x i32> zeroinitializer
  %t.94 = fsub contract <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>, %t.93
  %t.95 = fmul contract <8 x float> %t.90, %t.94
  %t.96 = fmul contract <8 x float> %t.91, %t.93
  %t.97 = fadd contract <8 x float> %t.95, %t.96
  %t.98 = insertelement <8 x float> poison, float %param2, i32 0
  %t.99 = shufflevector <8 x float> %t.98, <8 x float> poison, <8 x i32> zeroinitializer
  %t.100 = fmul contract <8 x float> %t.90, %t.99
  %t.101 = select i1 %param4, <8 x float> %t.97, <8 x float> %t.100
  %t.102 = sext i32 %workgroup_id.13 to i64
  %index.103 = mul i64 %t.102, 64
  %index.104 = add i64 %index.103, %local_x.29
  %t.105 = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %t.101, <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>)
  %t.106 = call <8 x float> @llvm.minnum.v8f32(<8 x float> %t.105, <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>)
  %t.107 = select i1 %param5, <8 x float> %t.106, <8 x float> %t.101
  %place.108 = getelementptr inbounds float, ptr %buffer1, i64 %index.104
  store <8 x float> %t.107, ptr %place.108, align 4
  br label %local_x_next.27
local_x_next.27:
  %local_x.29.next = add nsw i64 %local_x.29, 8
  br label %local_x_head.25
local_x_end.28:
  %t.111 = icmp sgt i64 %t.24, 0
  br i1 %t.111, label %last_gang.110, label %row_end.109
last_gang.110:
  %t.112 = insertelement <8 x i64> poison, i64 %t.24, i32 0
  %t.113 = shufflevector <8 x i64> %t.112, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask.114 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %t.113
  %t.115 = mul nsw i32 %workgroup_id.13, 64
  %local_id.116 = trunc i64 %t.23 to i32
  %t.117 = insertelement <8 x i32> poison, i32 %local_id.116, i32 0
  %t.118 = shufflevector <8 x i32> %t.117, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.119 = add nsw <8 x i32> %t.118, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.120 = insertelement <8 x i32> poison, i32 %t.115, i32 0
  %t.121 = shufflevector <8 x i32> %t.120, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.122 = add nsw <8 x i32> %t.121, %t.119
  %t.123 = sext i32 %workgroup_id.13 to i64
  %index.124 = mul i64 %t.123, 64
  %index.125 = add i64 %index.124, %t.23
  %t.126 = zext i32 %param6 to i64
  %t.127 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.128 = shufflevector <8 x i32> %t.127, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.129 = add <8 x i32> %t.122, %t.128
  %t.130 = sub nsw i32 %param0, 1
  %t.131 = insertelement <8 x i32> poison, i32 %t.130, i32 0
  %t.132 = shufflevector <8 x i32> %t.131, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.133 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.129, <8 x i32> %t.132)
  %t.134 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.135 = shufflevector <8 x i32> %t.134, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.136 = add <8 x i32> %t.122, %t.135
  %t.137 = sub nsw i32 %param0, 1
  %t.138 = insertelement <8 x i32> poison, i32 %t.137, i32 0
  %t.139 = shufflevector <8 x i32> %t.138, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.140 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.136, <8 x i32> %t.139)
  %t.141 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.142 = shufflevector <8 x i32> %t.141, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.143 = add <8 x i32> %t.122, %t.142
  %t.144 = sub nsw i32 %param0, 1
  %t.145 = insertelement <8 x i32> poison, i32 %t.144, i32 0
  %t.146 = shufflevector <8 x i32> %t.145, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.147 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.143, <8 x i32> %t.146)
  %t.148 = insertelement <8 x i32> poison, i32 %param6, i32 0
  %t.149 = shufflevector <8 x i32> %t.148, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.150 = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %t.147, <8 x i32> %t.149)
  %t.151 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.152 = shufflevector <8 x i32> %t.151, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.153 = add <8 x i32> %t.122, %t.152
  %t.154 = sub nsw i32 %param0, 1
  %t.155 = insertelement <8 x i32> poison, i32 %t.154, i32 0
  %t.156 = shufflevector <8 x i32> %t.155, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.157 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.153, <8 x i32> %t.156)
  %t.158 = insertelement <8 x i32> poison, i32 %param6, i32 0
  %t.159 = shufflevector <8 x i32> %t.158, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.160 = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %t.157, <8 x i32> %t.159)
  %t.161 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.162 = shufflevector <8 x i32> %t.161, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.163 = add <8 x i32> %t.122, %t.162
  %t.164 = sub nsw i32 %param0, 1
  %t.165 = insertelement <8 x i32> poison, i32 %t.164, i32 0
  %t.166 = shufflevector <8 x i32> %t.165, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.167 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.163, <8 x i32> %t.166)
  %t.168 = insertelement <8 x i32> poison, i32 %param6, i32 0
  %t.169 = shufflevector <8 x i32> %t.168, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.170 = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %t.167, <8 x i32> %t.169)
  %t.171 = zext <8 x i32> %t.170 to <8 x i64>
  %places.172 = getelementptr inbounds float, ptr %buffer0, <8 x i64> %t.171
  %x.173 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places.172, i32 4, <8 x i1> %mask.114, <8 x float> poison)
  %t.174 = fmul contract <8 x float> %x.173, %x.173
  %t.175 = fsub contract <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>, %t.174
  %t.176 = insertelement <8 x float> poison, float %param2, i32 0
  %t.177 = shufflevector <8 x float> %t.176, <8 x float> poison, <8 x i32> zeroinitializer
  %t.178 = fsub contract <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>, %t.177
  %t.179 = fmul contract <8 x float> %t.174, %t.178
  %t.180 = fmul contract <8 x float> %t.175, %t.177
  %t.181 = fadd contract <8 x float> %t.179, %t.180
  %t.182 = insertelement <8 x float> poison, float %param2, i32 0
  %t.183 = shufflevector <8 x float> %t.182, <8 x float> poison, <8 x i32> zeroinitializer
  %t.184 = fmul contract <8 x float> %t.174, %t.183
  %t.185 = select i1 %param4, <8 x float> %t.181, <8 x float> %t.184
  %t.186 = sext i32 %workgroup_id.13 to i64
  %index.187 = mul i64 %t.186, 64
  %index.188 = add i64 %index.187, %t.23
  %t.189 = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %t.185, <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>)
  %t.190 = call <8 x float> @llvm.minnum.v8f32(<8 x float> %t.189, <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>)
  %t.191 = select i1 %param5, <8 x float> %t.190, <8 x float> %t.185
  %place.192 = getelementptr inbounds float, ptr %buffer1, i64 %index.188
  call void @llvm.masked.store.v8f32.p0(<8 x float> %t.191, ptr %place.192, i32 4, <8 x i1> %mask.114)
  br label %row_end.109
row_end.109:
  br label %workgroup_next.3
workgroup_next.3:
  %workgroup.5.next = add nsw i64 %workgroup.5, 1
  br label %workgroup_head.1
workgroup_end.4:
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
