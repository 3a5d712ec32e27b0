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
  %t.66 = trunc i64 %index.64 to i32
  %t.67 = trunc i64 %t.65 to i32
  %t.68 = mul i32 %t.66, %t.67
  %t.69 = sext i32 %t.68 to i64
  %index.70 = add i64 %t.69, %index.55
  %place.71 = getelementptr inbounds float, ptr %buffer0, i64 %index.70
  %source.72 = load <8 x float>, ptr %place.71, align 4
  %index.73 = mul i64 %local_y.26, 17
  %index.74 = add i64 %index.73, %local_x.41
  %place.75 = getelementptr inbounds float, ptr %scratch0, i64 %index.74
  store <8 x float> %source.72, ptr %place.75, align 4
  br label %endif.60
endif.60:
  br label %local_x_next.39
local_x_next.39:
  %local_x.41.next = add nsw i64 %local_x.41, 8
  br label %local_x_head.37
local_x_end.40:
  %t.78 = icmp sgt i64 %t.36, 0
  br i1 %t.78, label %last_gang.77, label %row_end.76
last_gang.77:
  %t.79 = insertelement <8 x i64> poison, i64 %t.36, i32 0
  %t.80 = shufflevector <8 x i64> %t.79, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask.81 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %t.80
  %t.82 = mul nuw nsw i64 %local_y.26, 16
  %t.83 = add nuw nsw i64 %t.82, %t.35
  %t.84 = mul nsw i32 %workgroup_id.19, 16
  %local_id.85 = trunc i64 %t.35 to i32
  %t.86 = insertelement <8 x i32> poison, i32 %local_id.85, i32 0
  %t.87 = shufflevector <8 x i32> %t.86, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.88 = add nsw <8 x i32> %t.87, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.89 = insertelement <8 x i32> poison, i32 %t.84, i32 0
  %t.90 = shufflevector <8 x i32> %t.89, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.91 = add nsw <8 x i32> %t.90, %t.88
  %t.92 = sext i32 %workgroup_id.19 to i64
  %index.93 = mul i64 %t.92, 16
  %index.94 = add i64 %index.93, %t.35
  %t.95 = mul nsw i32 %workgroup_id.20, 16
  %local_id.96 = trunc i64 %local_y.26 to i32
  %t.97 = add nsw i32 %t.95, %local_id.96
  %t.98 = icmp slt i32 %t.97, %param0
  br i1 %t.98, label %then.100, label %endif.99
then.100:
  %t.101 = sext i32 %workgroup_id.20 to i64
  %index.102 = mul i64 %t.101, 16
  %index.103 = add i64 %index.102, %local_y.26
  %t.104 = sext i32 %param1 to i64
  %t.105 = trunc i64 %index.103 to i32
  %t.106 = trunc i64 %t.104 to i32
  %t.107 = mul i32 %t.105, %t.106
  %t.108 = sext i32 %t.107 to i64
  %index.109 = add i64 %t.108, %index.94
  %place.110 = getelementptr inbounds float, ptr %buffer0, i64 %index.109
  %source.111 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %place.110, i32 4, <8 x i1> %mask.81, <8 x float> poison)
  %index.112 = mul i64 %local_y.26, 17
  %index.113 = add i64 %index.112, %t.35
  %place.114 = getelementptr inbounds float, ptr %scratch0, i64 %index.113
  call void @llvm.masked.store.v8f32.p0(<8 x float> %source.111, ptr %place.114, i32 4, <8 x i1> %mask.81)
  br label %endif.99
endif.99:
  br label %row_end.76
row_end.76:
  br label %local_y_next.24
local_y_next.24:
  %local_y.26.next = add nsw i64 %local_y.26, 1
  br label %local_y_head.22
local_y_end.25:
  ; barrier: every invocation has run the region above
  br label %local_y_head.115
local_y_head.115:
  %local_y.119 = phi i64 [ 0, %local_y_end.25 ], [ %local_y.119.next, %local_y_next.117 ]
  %t.120 = icmp slt i64 %local_y.119, 16
  br i1 %t.120, label %local_y_body.116, label %local_y_end.118
local_y_body.116:
  %t.121 = mul nsw i32 %workgroup_id.20, 16
  %t.122 = add nsw i32 0, %t.121
  %t.123 = sext i32 %t.122 to i64
  %t.124 = sext i32 %param3 to i64
  %room.125 = sub nsw i64 %t.124, %t.123
  %t.126 = call i64 @llvm.smin.i64(i64 %room.125, i64 16)
  %count.127 = call i64 @llvm.smax.i64(i64 %t.126, i64 0)
  %t.128 = and i64 %count.127, -8
  %t.129 = sub nsw i64 %count.127, %t.128
  br label %local_x_head.130
local_x_head.130:
  %local_x.134 = phi i64 [ 0, %local_y_body.116 ], [ %local_x.134.next, %local_x_next.132 ]
  %t.135 = icmp slt i64 %local_x.134, %t.128
  br i1 %t.135, label %local_x_body.131, label %local_x_end.133
local_x_body.131:
  %t.136 = mul nuw nsw i64 %local_y.119, 16
  %t.137 = add nuw nsw i64 %t.136, %local_x.134
  %t.138 = mul nsw i32 %workgroup_id.20, 16
  %local_id.139 = trunc i64 %local_x.134 to i32
  %t.140 = insertelement <8 x i32> poison, i32 %local_id.139, i32 0
  %t.141 = shufflevector <8 x i32> %t.140, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.142 = add nsw <8 x i32> %t.141, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.143 = insertelement <8 x i32> poison, i32 %t.138, i32 0
  %t.144 = shufflevector <8 x i32> %t.143, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.145 = add nsw <8 x i32> %t.144, %t.142
  %t.146 = sext i32 %workgroup_id.20 to i64
  %index.147 = mul i64 %t.146, 16
  %index.148 = add i64 %index.147, %local_x.134
  %t.149 = mul nsw i32 %workgroup_id.19, 16
  %local_id.150 = trunc i64 %local_y.119 to i32
  %t.151 = add nsw i32 %t.149, %local_id.150
  %t.152 = icmp slt i32 %t.151, %param2
  br i1 %t.152, label %then.154, label %endif.153
then.154:
  %index.155 = mul i64 %local_x.134, 17
  %index.156 = add i64 %index.155, %local_y.119
  %t.157 = insertelement <8 x i64> poison, i64 %index.156, i32 0
  %t.158 = shufflevector <8 x i64> %t.157, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.159 = add nsw <8 x i64> %t.158, <i64 0, i64 17, i64 34, i64 51, i64 68, i64 85, i64 102, i64 119>
  %places.160 = getelementptr inbounds float, ptr %scratch0, <8 x i64> %t.159
  %tile.161 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places.160, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> poison)
  %t.162 = sext i32 %workgroup_id.19 to i64
  %index.163 = mul i64 %t.162, 16
  %index.164 = add i64 %index.163, %local_y.119
  %t.165 = sext i32 %param3 to i64
  %t.166 = trunc i64 %index.164 to i32
  %t.167 = trunc i64 %t.165 to i32
  %t.168 = mul i32 %t.166, %t.167
  %t.169 = sext i32 %t.168 to i64
  %index.170 = add i64 %t.169, %index.148
  %place.171 = getelementptr inbounds float, ptr %buffer1, i64 %index.170
  store <8 x float> %tile.161, ptr %place.171, align 4
  br label %endif.153
endif.153:
  br label %local_x_next.132
local_x_next.132:
  %local_x.134.next = add nsw i64 %local_x.134, 8
  br label %local_x_head.130
local_x_end.133:
  %t.174 = icmp sgt i64 %t.129, 0
  br i1 %t.174, label %last_gang.173, label %row_end.172
last_gang.173:
  %t.175 = insertelement <8 x i64> poison, i64 %t.129, i32 0
  %t.176 = shufflevector <8 x i64> %t.175, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask.177 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %t.176
  %t.178 = mul nuw nsw i64 %local_y.119, 16
  %t.179 = add nuw nsw i64 %t.178, %t.128
  %t.180 = mul nsw i32 %workgroup_id.20, 16
  %local_id.181 = trunc i64 %t.128 to i32
  %t.182 = insertelement <8 x i32> poison, i32 %local_id.181, i32 0
  %t.183 = shufflevector <8 x i32> %t.182, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.184 = add nsw <8 x i32> %t.183, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.185 = insertelement <8 x i32> poison, i32 %t.180, i32 0
  %t.186 = shufflevector <8 x i32> %t.185, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.187 = add nsw <8 x i32> %t.186, %t.184
  %t.188 = sext i32 %workgroup_id.20 to i64
  %index.189 = mul i64 %t.188, 16
  %index.190 = add i64 %index.189, %t.128
  %t.191 = mul nsw i32 %workgroup_id.19, 16
  %local_id.192 = trunc i64 %local_y.119 to i32
  %t.193 = add nsw i32 %t.191, %local_id.192
  %t.194 = icmp slt i32 %t.193, %param2
  br i1 %t.194, label %then.196, label %endif.195
then.196:
  %index.197 = mul i64 %t.128, 17
  %index.198 = add i64 %index.197, %local_y.119
  %t.199 = insertelement <8 x i64> poison, i64 %index.198, i32 0
  %t.200 = shufflevector <8 x i64> %t.199, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.201 = add nsw <8 x i64> %t.200, <i64 0, i64 17, i64 34, i64 51, i64 68, i64 85, i64 102, i64 119>
  %places.202 = getelementptr inbounds float, ptr %scratch0, <8 x i64> %t.201
  %tile.203 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places.202, i32 4, <8 x i1> %mask.177, <8 x float> poison)
  %t.204 = sext i32 %workgroup_id.19 to i64
  %index.205 = mul i64 %t.204, 16
  %index.206 = add i64 %index.205, %local_y.119
  %t.207 = sext i32 %param3 to i64
  %t.208 = trunc i64 %index.206 to i32
  %t.209 = trunc i64 %t.207 to i32
  %t.210 = mul i32 %t.208, %t.209
  %t.211 = sext i32 %t.210 to i64
  %index.212 = add i64 %t.211, %index.190
  %place.213 = getelementptr inbounds float, ptr %buffer1, i64 %index.212
  call void @llvm.masked.store.v8f32.p0(<8 x float> %tile.203, ptr %place.213, i32 4, <8 x i1> %mask.177)
  br label %endif.195
endif.195:
  br label %row_end.172
row_end.172:
  br label %local_y_next.117
local_y_next.117:
  %local_y.119.next = add nsw i64 %local_y.119, 1
  br label %local_y_head.115
local_y_end.118:
  %t.214 = zext i1 true to i32
  %t.215 = add nuw i32 %workgroup_id.19, %t.214
  %t.216 = icmp eq i32 %t.215, %gx
  %t.217 = select i1 %t.216, i32 0, i32 %t.215
  store i32 %t.217, ptr %workgroup_id.7
  %t.218 = zext i1 %t.216 to i32
  %t.219 = add nuw i32 %workgroup_id.20, %t.218
  %t.220 = icmp eq i32 %t.219, %gy
  %t.221 = select i1 %t.220, i32 0, i32 %t.219
  store i32 %t.221, ptr %workgroup_id.9
  %t.222 = zext i1 %t.220 to i32
  %t.223 = add nuw i32 %workgroup_id.21, %t.222
  %t.224 = icmp eq i32 %t.223, %gz
  %t.225 = select i1 %t.224, i32 0, i32 %t.223
  store i32 %t.225, ptr %workgroup_id.11
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
