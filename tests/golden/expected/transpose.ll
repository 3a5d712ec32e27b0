; kernel transpose
@gpucore_scratch_nbytes = constant i64 1088

define void @gpucore_entry(ptr %buffers, ptr %scalars, ptr %scratch, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) nounwind {
entry:
  %t.1 = getelementptr ptr, ptr %buffers, i64 0
  %source.2 = load ptr, ptr %t.1
  %t.3 = getelementptr ptr, ptr %buffers, i64 1
  %target.4 = load ptr, ptr %t.3
  %t.5 = getelementptr i8, ptr %scalars, i64 0
  %source_shape_0_.6 = load i32, ptr %t.5
  %t.7 = getelementptr i8, ptr %scalars, i64 4
  %source_shape_1_.8 = load i32, ptr %t.7
  %t.9 = getelementptr i8, ptr %scalars, i64 8
  %target_shape_0_.10 = load i32, ptr %t.9
  %t.11 = getelementptr i8, ptr %scalars, i64 12
  %target_shape_1_.12 = load i32, ptr %t.11
  %t.13 = getelementptr i8, ptr %scratch, i64 0
  call void @gpucore_workgroups(ptr %source.2, ptr %target.4, i32 %source_shape_0_.6, i32 %source_shape_1_.8, i32 %target_shape_0_.10, i32 %target_shape_1_.12, ptr %t.13, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last)
  ret void
}

define internal void @gpucore_workgroups(ptr noalias nonnull align 64 %buffer0, ptr noalias nonnull align 64 %buffer1, i32 %param0, i32 %param1, i32 %param2, i32 %param3, ptr noalias nonnull align 64 %scratch0, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) noinline nounwind {
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
  br label %local_y_head.22
local_y_head.22:
  %local_y.26 = phi i64 [ 0, %workgroup_body.14 ], [ %local_y.26.next, %local_y_next.24 ]
  %t.27 = icmp slt i64 %local_y.26, 16
  br i1 %t.27, label %local_y_body.23, label %local_y_end.25
local_y_body.23:
  %t.28 = mul nsw i32 %workgroup_id.19, 16
  %t.29 = add nsw i32 0, %t.28
  %t.30 = sext i32 %t.29 to i64
  %t.31 = sext i32 %param1 to i64
  %room.32 = sub nsw i64 %t.31, %t.30
  %t.33 = call i64 @llvm.smin.i64(i64 %room.32, i64 16)
  %count.34 = call i64 @llvm.smax.i64(i64 %t.33, i64 0)
  %t.35 = and i64 %count.34, -8
  %t.36 = sub nsw i64 %count.34, %t.35
  br label %local_x_head.37
local_x_head.37:
  %local_x.41 = phi i64 [ 0, %local_y_body.23 ], [ %local_x.41.next, %local_x_next.39 ]
  %t.42 = icmp slt i64 %local_x.41, %t.35
  br i1 %t.42, label %local_x_body.38, label %local_x_end.40
local_x_body.38:
  %t.43 = mul nuw nsw i64 %local_y.26, 16
  %t.44 = add nuw nsw i64 %t.43, %local_x.41
  %t.45 = mul nsw i32 %workgroup_id.19, 16
  %local_id.46 = trunc i64 %local_x.41 to i32
  %t.47 = insertelement <8 x i32> poison, i32 %local_id.46, i32 0
  %t.48 = shufflevector <8 x i32> %t.47, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.49 = add nsw <8 x i32> %t.48, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.50 = insertelement <8 x i32> poison, i32 %t.45, i32 0
  %t.51 = shufflevector <8 x i32> %t.50, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.52 = add nsw <8 x i32> %t.51, %t.49
  %t.53 = sext i32 %workgroup_id.19 to i64
  %index.54 = mul i64 %t.53, 16
  %index.55 = add i64 %index.54, %local_x.41
  %t.56 = mul nsw i32 %workgroup_id.20, 16
  %local_id.57 = trunc i64 %local_y.26 to i32
  %t.58 = add nsw i32 %t.56, %local_id.57
  %t.59 = icmp slt i32 %t.58, %param0
  br i1 %t.59, label %then.61, label %endif.60
then.61:
  %t.62 = sext i32 %workgroup_id.20 to i64
  %index.63 = mul i64 %t.62, 16
  %index.64 = add i64 %index.63, %local_y.26
  %t.65 = sext i32 %param1 to i64
  %index.66 = mul i64 %index.64, %t.65
  %t.67 = sext i32 %workgroup_id.19 to i64
  %index.68 = mul i64 %t.67, 16
  %index.69 = add i64 %index.68, %local_x.41
  %t.70 = trunc i64 %index.66 to i32
  %t.71 = sext i32 %t.70 to i64
  %index.72 = add i64 %t.71, %index.69
  %place.73 = getelementptr inbounds float, ptr %buffer0, i64 %index.72
  %source.74 = load <8 x float>, ptr %place.73, align 4
  %index.75 = mul i64 %local_y.26, 17
  %index.76 = add i64 %index.75, %local_x.41
  %place.77 = getelementptr inbounds float, ptr %scratch0, i64 %index.76
  store <8 x float> %source.74, ptr %place.77, align 4
  br label %endif.60
endif.60:
  br label %local_x_next.39
local_x_next.39:
  %local_x.41.next = add nsw i64 %local_x.41, 8
  br label %local_x_head.37
local_x_end.40:
  %t.80 = icmp sgt i64 %t.36, 0
  br i1 %t.80, label %last_gang.79, label %row_end.78
last_gang.79:
  %t.81 = insertelement <8 x i64> poison, i64 %t.36, i32 0
  %t.82 = shufflevector <8 x i64> %t.81, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask.83 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %t.82
  %t.84 = mul nuw nsw i64 %local_y.26, 16
  %t.85 = add nuw nsw i64 %t.84, %t.35
  %t.86 = mul nsw i32 %workgroup_id.19, 16
  %local_id.87 = trunc i64 %t.35 to i32
  %t.88 = insertelement <8 x i32> poison, i32 %local_id.87, i32 0
  %t.89 = shufflevector <8 x i32> %t.88, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.90 = add nsw <8 x i32> %t.89, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.91 = insertelement <8 x i32> poison, i32 %t.86, i32 0
  %t.92 = shufflevector <8 x i32> %t.91, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.93 = add nsw <8 x i32> %t.92, %t.90
  %t.94 = sext i32 %workgroup_id.19 to i64
  %index.95 = mul i64 %t.94, 16
  %index.96 = add i64 %index.95, %t.35
  %t.97 = mul nsw i32 %workgroup_id.20, 16
  %local_id.98 = trunc i64 %local_y.26 to i32
  %t.99 = add nsw i32 %t.97, %local_id.98
  %t.100 = icmp slt i32 %t.99, %param0
  br i1 %t.100, label %then.102, label %endif.101
then.102:
  %t.103 = sext i32 %workgroup_id.20 to i64
  %index.104 = mul i64 %t.103, 16
  %index.105 = add i64 %index.104, %local_y.26
  %t.106 = sext i32 %param1 to i64
  %index.107 = mul i64 %index.105, %t.106
  %t.108 = sext i32 %workgroup_id.19 to i64
  %index.109 = mul i64 %t.108, 16
  %index.110 = add i64 %index.109, %t.35
  %t.111 = trunc i64 %index.107 to i32
  %t.112 = sext i32 %t.111 to i64
  %index.113 = add i64 %t.112, %index.110
  %place.114 = getelementptr float, ptr %buffer0, i64 %index.113
  %source.115 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %place.114, i32 4, <8 x i1> %mask.83, <8 x float> poison)
  %index.116 = mul i64 %local_y.26, 17
  %index.117 = add i64 %index.116, %t.35
  %place.118 = getelementptr float, ptr %scratch0, i64 %index.117
  call void @llvm.masked.store.v8f32.p0(<8 x float> %source.115, ptr %place.118, i32 4, <8 x i1> %mask.83)
  br label %endif.101
endif.101:
  br label %row_end.78
row_end.78:
  br label %local_y_next.24
local_y_next.24:
  %local_y.26.next = add nsw i64 %local_y.26, 1
  br label %local_y_head.22
local_y_end.25:
  ; barrier: every invocation has run the region above
  br label %local_y_head.119
local_y_head.119:
  %local_y.123 = phi i64 [ 0, %local_y_end.25 ], [ %local_y.123.next, %local_y_next.121 ]
  %t.124 = icmp slt i64 %local_y.123, 16
  br i1 %t.124, label %local_y_body.120, label %local_y_end.122
local_y_body.120:
  %t.125 = mul nsw i32 %workgroup_id.20, 16
  %t.126 = add nsw i32 0, %t.125
  %t.127 = sext i32 %t.126 to i64
  %t.128 = sext i32 %param3 to i64
  %room.129 = sub nsw i64 %t.128, %t.127
  %t.130 = call i64 @llvm.smin.i64(i64 %room.129, i64 16)
  %count.131 = call i64 @llvm.smax.i64(i64 %t.130, i64 0)
  %t.132 = and i64 %count.131, -8
  %t.133 = sub nsw i64 %count.131, %t.132
  br label %local_x_head.134
local_x_head.134:
  %local_x.138 = phi i64 [ 0, %local_y_body.120 ], [ %local_x.138.next, %local_x_next.136 ]
  %t.139 = icmp slt i64 %local_x.138, %t.132
  br i1 %t.139, label %local_x_body.135, label %local_x_end.137
local_x_body.135:
  %t.140 = mul nuw nsw i64 %local_y.123, 16
  %t.141 = add nuw nsw i64 %t.140, %local_x.138
  %t.142 = mul nsw i32 %workgroup_id.20, 16
  %local_id.143 = trunc i64 %local_x.138 to i32
  %t.144 = insertelement <8 x i32> poison, i32 %local_id.143, i32 0
  %t.145 = shufflevector <8 x i32> %t.144, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.146 = add nsw <8 x i32> %t.145, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.147 = insertelement <8 x i32> poison, i32 %t.142, i32 0
  %t.148 = shufflevector <8 x i32> %t.147, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.149 = add nsw <8 x i32> %t.148, %t.146
  %t.150 = sext i32 %workgroup_id.20 to i64
  %index.151 = mul i64 %t.150, 16
  %index.152 = add i64 %index.151, %local_x.138
  %t.153 = mul nsw i32 %workgroup_id.19, 16
  %local_id.154 = trunc i64 %local_y.123 to i32
  %t.155 = add nsw i32 %t.153, %local_id.154
  %t.156 = icmp slt i32 %t.155, %param2
  br i1 %t.156, label %then.158, label %endif.157
then.158:
  %index.159 = mul i64 %local_x.138, 17
  %index.160 = add i64 %index.159, %local_y.123
  %t.161 = insertelement <8 x i64> poison, i64 %index.160, i32 0
  %t.162 = shufflevector <8 x i64> %t.161, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.163 = add nsw <8 x i64> %t.162, <i64 0, i64 17, i64 34, i64 51, i64 68, i64 85, i64 102, i64 119>
  %places.164 = getelementptr inbounds float, ptr %scratch0, <8 x i64> %t.163
  %tile.165 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places.164, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> poison)
  %t.166 = sext i32 %workgroup_id.19 to i64
  %index.167 = mul i64 %t.166, 16
  %index.168 = add i64 %index.167, %local_y.123
  %t.169 = sext i32 %param3 to i64
  %index.170 = mul i64 %index.168, %t.169
  %t.171 = sext i32 %workgroup_id.20 to i64
  %index.172 = mul i64 %t.171, 16
  %index.173 = add i64 %index.172, %local_x.138
  %t.174 = trunc i64 %index.170 to i32
  %t.175 = sext i32 %t.174 to i64
  %index.176 = add i64 %t.175, %index.173
  %place.177 = getelementptr inbounds float, ptr %buffer1, i64 %index.176
  %t.181 = ptrtoint ptr %place.177 to i64
  %t.182 = and i64 %t.181, 31
  %t.183 = icmp eq i64 %t.182, -1 ; 0 to stream
  br i1 %t.183, label %aligned.178, label %shifted.179
aligned.178:
  store <8 x float> %tile.165, ptr %place.177, align 32 ; may stream
  br label %stored.180
shifted.179:
  store <8 x float> %tile.165, ptr %place.177, align 4
  br label %stored.180
stored.180:
  br label %endif.157
endif.157:
  br label %local_x_next.136
local_x_next.136:
  %local_x.138.next = add nsw i64 %local_x.138, 8
  br label %local_x_head.134
local_x_end.137:
  %t.186 = icmp sgt i64 %t.133, 0
  br i1 %t.186, label %last_gang.185, label %row_end.184
last_gang.185:
  %t.187 = insertelement <8 x i64> poison, i64 %t.133, i32 0
  %t.188 = shufflevector <8 x i64> %t.187, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask.189 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %t.188
  %t.190 = mul nuw nsw i64 %local_y.123, 16
  %t.191 = add nuw nsw i64 %t.190, %t.132
  %t.192 = mul nsw i32 %workgroup_id.20, 16
  %local_id.193 = trunc i64 %t.132 to i32
  %t.194 = insertelement <8 x i32> poison, i32 %local_id.193, i32 0
  %t.195 = shufflevector <8 x i32> %t.194, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.196 = add nsw <8 x i32> %t.195, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.197 = insertelement <8 x i32> poison, i32 %t.192, i32 0
  %t.198 = shufflevector <8 x i32> %t.197, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.199 = add nsw <8 x i32> %t.198, %t.196
  %t.200 = sext i32 %workgroup_id.20 to i64
  %index.201 = mul i64 %t.200, 16
  %index.202 = add i64 %index.201, %t.132
  %t.203 = mul nsw i32 %workgroup_id.19, 16
  %local_id.204 = trunc i64 %local_y.123 to i32
  %t.205 = add nsw i32 %t.203, %local_id.204
  %t.206 = icmp slt i32 %t.205, %param2
  br i1 %t.206, label %then.208, label %endif.207
then.208:
  %index.209 = mul i64 %t.132, 17
  %index.210 = add i64 %index.209, %local_y.123
  %t.211 = insertelement <8 x i64> poison, i64 %index.210, i32 0
  %t.212 = shufflevector <8 x i64> %t.211, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.213 = add nsw <8 x i64> %t.212, <i64 0, i64 17, i64 34, i64 51, i64 68, i64 85, i64 102, i64 119>
  %places.214 = getelementptr inbounds float, ptr %scratch0, <8 x i64> %t.213
  %tile.215 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places.214, i32 4, <8 x i1> %mask.189, <8 x float> poison)
  %t.216 = sext i32 %workgroup_id.19 to i64
  %index.217 = mul i64 %t.216, 16
  %index.218 = add i64 %index.217, %local_y.123
  %t.219 = sext i32 %param3 to i64
  %index.220 = mul i64 %index.218, %t.219
  %t.221 = sext i32 %workgroup_id.20 to i64
  %index.222 = mul i64 %t.221, 16
  %index.223 = add i64 %index.222, %t.132
  %t.224 = trunc i64 %index.220 to i32
  %t.225 = sext i32 %t.224 to i64
  %index.226 = add i64 %t.225, %index.223
  %place.227 = getelementptr float, ptr %buffer1, i64 %index.226
  call void @llvm.masked.store.v8f32.p0(<8 x float> %tile.215, ptr %place.227, i32 4, <8 x i1> %mask.189)
  br label %endif.207
endif.207:
  br label %row_end.184
row_end.184:
  br label %local_y_next.121
local_y_next.121:
  %local_y.123.next = add nsw i64 %local_y.123, 1
  br label %local_y_head.119
local_y_end.122:
  %t.228 = zext i1 true to i32
  %t.229 = add nuw i32 %workgroup_id.19, %t.228
  %t.230 = icmp eq i32 %t.229, %gx
  %t.231 = select i1 %t.230, i32 0, i32 %t.229
  store i32 %t.231, ptr %workgroup_id.7
  %t.232 = zext i1 %t.230 to i32
  %t.233 = add nuw i32 %workgroup_id.20, %t.232
  %t.234 = icmp eq i32 %t.233, %gy
  %t.235 = select i1 %t.234, i32 0, i32 %t.233
  store i32 %t.235, ptr %workgroup_id.9
  %t.236 = zext i1 %t.234 to i32
  %t.237 = add nuw i32 %workgroup_id.21, %t.236
  %t.238 = icmp eq i32 %t.237, %gz
  %t.239 = select i1 %t.238, i32 0, i32 %t.237
  store i32 %t.239, ptr %workgroup_id.11
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
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
