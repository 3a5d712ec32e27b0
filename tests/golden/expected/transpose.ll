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
  br label %local_y_head.16
local_y_head.16:
  %local_y.20 = phi i64 [ 0, %workgroup_body.2 ], [ %local_y.20.next, %local_y_next.18 ]
  %t.21 = icmp slt i64 %local_y.20, 16
  br i1 %t.21, label %local_y_body.17, label %local_y_end.19
local_y_body.17:
  %t.22 = mul nsw i32 %workgroup_id.13, 16
  %t.23 = add nsw i32 0, %t.22
  %t.24 = sext i32 %t.23 to i64
  %t.25 = sext i32 %param1 to i64
  %room.26 = sub nsw i64 %t.25, %t.24
  %t.27 = call i64 @llvm.smin.i64(i64 %room.26, i64 16)
  %count.28 = call i64 @llvm.smax.i64(i64 %t.27, i64 0)
  %t.29 = and i64 %count.28, -8
  %t.30 = sub nsw i64 %count.28, %t.29
  br label %local_x_head.31
local_x_head.31:
  %local_x.35 = phi i64 [ 0, %local_y_body.17 ], [ %local_x.35.next, %local_x_next.33 ]
  %t.36 = icmp slt i64 %local_x.35, %t.29
  br i1 %t.36, label %local_x_body.32, label %local_x_end.34
local_x_body.32:
  %t.37 = mul nuw nsw i64 %local_y.20, 16
  %t.38 = add nuw nsw i64 %t.37, %local_x.35
  %t.39 = mul nsw i32 %workgroup_id.13, 16
  %local_id.40 = trunc i64 %local_x.35 to i32
  %t.41 = insertelement <8 x i32> poison, i32 %local_id.40, i32 0
  %t.42 = shufflevector <8 x i32> %t.41, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.43 = add nsw <8 x i32> %t.42, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.44 = insertelement <8 x i32> poison, i32 %t.39, i32 0
  %t.45 = shufflevector <8 x i32> %t.44, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.46 = add nsw <8 x i32> %t.45, %t.43
  %t.47 = sext i32 %workgroup_id.13 to i64
  %index.48 = mul i64 %t.47, 16
  %index.49 = add i64 %index.48, %local_x.35
  %t.50 = mul nsw i32 %workgroup_id.14, 16
  %local_id.51 = trunc i64 %local_y.20 to i32
  %t.52 = add nsw i32 %t.50, %local_id.51
  %t.53 = icmp slt i32 %t.52, %param0
  br i1 %t.53, label %then.55, label %endif.54
then.55:
  %t.56 = sext i32 %workgroup_id.14 to i64
  %index.57 = mul i64 %t.56, 16
  %index.58 = add i64 %index.57, %local_y.20
  %t.59 = sext i32 %param1 to i64
  %t.60 = trunc i64 %index.58 to i32
  %t.61 = trunc i64 %t.59 to i32
  %t.62 = mul i32 %t.60, %t.61
  %t.63 = sext i32 %t.62 to i64
  %index.64 = add i64 %t.63, %index.49
  %place.65 = getelementptr inbounds float, ptr %buffer0, i64 %index.64
  %source.66 = load <8 x float>, ptr %place.65, align 4
  %index.67 = mul i64 %local_y.20, 17
  %index.68 = add i64 %index.67, %local_x.35
  %place.69 = getelementptr inbounds float, ptr %scratch0, i64 %index.68
  store <8 x float> %source.66, ptr %place.69, align 4
  br label %endif.54
endif.54:
  br label %local_x_next.33
local_x_next.33:
  %local_x.35.next = add nsw i64 %local_x.35, 8
  br label %local_x_head.31
local_x_end.34:
  %t.72 = icmp sgt i64 %t.30, 0
  br i1 %t.72, label %last_gang.71, label %row_end.70
last_gang.71:
  %t.73 = insertelement <8 x i64> poison, i64 %t.30, i32 0
  %t.74 = shufflevector <8 x i64> %t.73, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask.75 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %t.74
  %t.76 = mul nuw nsw i64 %local_y.20, 16
  %t.77 = add nuw nsw i64 %t.76, %t.29
  %t.78 = mul nsw i32 %workgroup_id.13, 16
  %local_id.79 = trunc i64 %t.29 to i32
  %t.80 = insertelement <8 x i32> poison, i32 %local_id.79, i32 0
  %t.81 = shufflevector <8 x i32> %t.80, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.82 = add nsw <8 x i32> %t.81, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.83 = insertelement <8 x i32> poison, i32 %t.78, i32 0
  %t.84 = shufflevector <8 x i32> %t.83, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.85 = add nsw <8 x i32> %t.84, %t.82
  %t.86 = sext i32 %workgroup_id.13 to i64
  %index.87 = mul i64 %t.86, 16
  %index.88 = add i64 %index.87, %t.29
  %t.89 = mul nsw i32 %workgroup_id.14, 16
  %local_id.90 = trunc i64 %local_y.20 to i32
  %t.91 = add nsw i32 %t.89, %local_id.90
  %t.92 = icmp slt i32 %t.91, %param0
  br i1 %t.92, label %then.94, label %endif.93
then.94:
  %t.95 = sext i32 %workgroup_id.14 to i64
  %index.96 = mul i64 %t.95, 16
  %index.97 = add i64 %index.96, %local_y.20
  %t.98 = sext i32 %param1 to i64
  %t.99 = trunc i64 %index.97 to i32
  %t.100 = trunc i64 %t.98 to i32
  %t.101 = mul i32 %t.99, %t.100
  %t.102 = sext i32 %t.101 to i64
  %index.103 = add i64 %t.102, %index.88
  %place.104 = getelementptr inbounds float, ptr %buffer0, i64 %index.103
  %source.105 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %place.104, i32 4, <8 x i1> %mask.75, <8 x float> poison)
  %index.106 = mul i64 %local_y.20, 17
  %index.107 = add i64 %index.106, %t.29
  %place.108 = getelementptr inbounds float, ptr %scratch0, i64 %index.107
  call void @llvm.masked.store.v8f32.p0(<8 x float> %source.105, ptr %place.108, i32 4, <8 x i1> %mask.75)
  br label %endif.93
endif.93:
  br label %row_end.70
row_end.70:
  br label %local_y_next.18
local_y_next.18:
  %local_y.20.next = add nsw i64 %local_y.20, 1
  br label %local_y_head.16
local_y_end.19:
  ; barrier: every invocation has run the region above
  br label %local_y_head.109
local_y_head.109:
  %local_y.113 = phi i64 [ 0, %local_y_end.19 ], [ %local_y.113.next, %local_y_next.111 ]
  %t.114 = icmp slt i64 %local_y.113, 16
  br i1 %t.114, label %local_y_body.110, label %local_y_end.112
local_y_body.110:
  %t.115 = mul nsw i32 %workgroup_id.14, 16
  %t.116 = add nsw i32 0, %t.115
  %t.117 = sext i32 %t.116 to i64
  %t.118 = sext i32 %param3 to i64
  %room.119 = sub nsw i64 %t.118, %t.117
  %t.120 = call i64 @llvm.smin.i64(i64 %room.119, i64 16)
  %count.121 = call i64 @llvm.smax.i64(i64 %t.120, i64 0)
  %t.122 = and i64 %count.121, -8
  %t.123 = sub nsw i64 %count.121, %t.122
  br label %local_x_head.124
local_x_head.124:
  %local_x.128 = phi i64 [ 0, %local_y_body.110 ], [ %local_x.128.next, %local_x_next.126 ]
  %t.129 = icmp slt i64 %local_x.128, %t.122
  br i1 %t.129, label %local_x_body.125, label %local_x_end.127
local_x_body.125:
  %t.130 = mul nuw nsw i64 %local_y.113, 16
  %t.131 = add nuw nsw i64 %t.130, %local_x.128
  %t.132 = mul nsw i32 %workgroup_id.14, 16
  %local_id.133 = trunc i64 %local_x.128 to i32
  %t.134 = insertelement <8 x i32> poison, i32 %local_id.133, i32 0
  %t.135 = shufflevector <8 x i32> %t.134, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.136 = add nsw <8 x i32> %t.135, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.137 = insertelement <8 x i32> poison, i32 %t.132, i32 0
  %t.138 = shufflevector <8 x i32> %t.137, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.139 = add nsw <8 x i32> %t.138, %t.136
  %t.140 = sext i32 %workgroup_id.14 to i64
  %index.141 = mul i64 %t.140, 16
  %index.142 = add i64 %index.141, %local_x.128
  %t.143 = mul nsw i32 %workgroup_id.13, 16
  %local_id.144 = trunc i64 %local_y.113 to i32
  %t.145 = add nsw i32 %t.143, %local_id.144
  %t.146 = icmp slt i32 %t.145, %param2
  br i1 %t.146, label %then.148, label %endif.147
then.148:
  %index.149 = mul i64 %local_x.128, 17
  %index.150 = add i64 %index.149, %local_y.113
  %t.151 = insertelement <8 x i64> poison, i64 %index.150, i32 0
  %t.152 = shufflevector <8 x i64> %t.151, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.153 = add nsw <8 x i64> %t.152, <i64 0, i64 17, i64 34, i64 51, i64 68, i64 85, i64 102, i64 119>
  %places.154 = getelementptr inbounds float, ptr %scratch0, <8 x i64> %t.153
  %tile.155 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places.154, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> poison)
  %t.156 = sext i32 %workgroup_id.13 to i64
  %index.157 = mul i64 %t.156, 16
  %index.158 = add i64 %index.157, %local_y.113
  %t.159 = sext i32 %param3 to i64
  %t.160 = trunc i64 %index.158 to i32
  %t.161 = trunc i64 %t.159 to i32
  %t.162 = mul i32 %t.160, %t.161
  %t.163 = sext i32 %t.162 to i64
  %index.164 = add i64 %t.163, %index.142
  %place.165 = getelementptr inbounds float, ptr %buffer1, i64 %index.164
  store <8 x float> %tile.155, ptr %place.165, align 4
  br label %endif.147
endif.147:
  br label %local_x_next.126
local_x_next.126:
  %local_x.128.next = add nsw i64 %local_x.128, 8
  br label %local_x_head.124
local_x_end.127:
  %t.168 = icmp sgt i64 %t.123, 0
  br i1 %t.168, label %last_gang.167, label %row_end.166
last_gang.167:
  %t.169 = insertelement <8 x i64> poison, i64 %t.123, i32 0
  %t.170 = shufflevector <8 x i64> %t.169, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask.171 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %t.170
  %t.172 = mul nuw nsw i64 %local_y.113, 16
  %t.173 = add nuw nsw i64 %t.172, %t.122
  %t.174 = mul nsw i32 %workgroup_id.14, 16
  %local_id.175 = trunc i64 %t.122 to i32
  %t.176 = insertelement <8 x i32> poison, i32 %local_id.175, i32 0
  %t.177 = shufflevector <8 x i32> %t.176, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.178 = add nsw <8 x i32> %t.177, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.179 = insertelement <8 x i32> poison, i32 %t.174, i32 0
  %t.180 = shufflevector <8 x i32> %t.179, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.181 = add nsw <8 x i32> %t.180, %t.178
  %t.182 = sext i32 %workgroup_id.14 to i64
  %index.183 = mul i64 %t.182, 16
  %index.184 = add i64 %index.183, %t.122
  %t.185 = mul nsw i32 %workgroup_id.13, 16
  %local_id.186 = trunc i64 %local_y.113 to i32
  %t.187 = add nsw i32 %t.185, %local_id.186
  %t.188 = icmp slt i32 %t.187, %param2
  br i1 %t.188, label %then.190, label %endif.189
then.190:
  %index.191 = mul i64 %t.122, 17
  %index.192 = add i64 %index.191, %local_y.113
  %t.193 = insertelement <8 x i64> poison, i64 %index.192, i32 0
  %t.194 = shufflevector <8 x i64> %t.193, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.195 = add nsw <8 x i64> %t.194, <i64 0, i64 17, i64 34, i64 51, i64 68, i64 85, i64 102, i64 119>
  %places.196 = getelementptr inbounds float, ptr %scratch0, <8 x i64> %t.195
  %tile.197 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places.196, i32 4, <8 x i1> %mask.171, <8 x float> poison)
  %t.198 = sext i32 %workgroup_id.13 to i64
  %index.199 = mul i64 %t.198, 16
  %index.200 = add i64 %index.199, %local_y.113
  %t.201 = sext i32 %param3 to i64
  %t.202 = trunc i64 %index.200 to i32
  %t.203 = trunc i64 %t.201 to i32
  %t.204 = mul i32 %t.202, %t.203
  %t.205 = sext i32 %t.204 to i64
  %index.206 = add i64 %t.205, %index.184
  %place.207 = getelementptr inbounds float, ptr %buffer1, i64 %index.206
  call void @llvm.masked.store.v8f32.p0(<8 x float> %tile.197, ptr %place.207, i32 4, <8 x i1> %mask.171)
  br label %endif.189
endif.189:
  br label %row_end.166
row_end.166:
  br label %local_y_next.111
local_y_next.111:
  %local_y.113.next = add nsw i64 %local_y.113, 1
  br label %local_y_head.109
local_y_end.112:
  br label %workgroup_next.3
workgroup_next.3:
  %workgroup.5.next = add nsw i64 %workgroup.5, 1
  br label %workgroup_head.1
workgroup_end.4:
  ret void
}

declare <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr>, i32, <8 x i1>, <8 x float>)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
