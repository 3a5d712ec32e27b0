; kernel histogram
@gpucore_scratch_nbytes = constant i64 1024

define void @gpucore_entry(ptr %buffers, ptr %scalars, ptr %scratch, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) nounwind {
entry:
  %t.1 = getelementptr ptr, ptr %buffers, i64 0
  %values.2 = load ptr, ptr %t.1
  %t.3 = getelementptr ptr, ptr %buffers, i64 1
  %bins.4 = load ptr, ptr %t.3
  %t.5 = getelementptr ptr, ptr %buffers, i64 2
  %extremes.6 = load ptr, ptr %t.5
  %t.7 = getelementptr i8, ptr %scalars, i64 0
  %values_shape_0_.8 = load i32, ptr %t.7
  %t.9 = getelementptr i8, ptr %scratch, i64 0
  call void @gpucore_workgroups(ptr %values.2, ptr %bins.4, ptr %extremes.6, i32 %values_shape_0_.8, ptr %t.9, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last)
  ret void
}

define internal void @gpucore_workgroups(ptr noalias nonnull align 64 %buffer0, ptr noalias nonnull align 64 %buffer1, ptr noalias nonnull align 64 %buffer2, i32 %param0, ptr noalias nonnull align 64 %scratch0, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) noinline nounwind {
entry:
  %workgroup_id.7 = alloca i32, align 4
  %workgroup_id.9 = alloca i32, align 4
  %workgroup_id.11 = alloca i32, align 4
  %lanes.81 = alloca <8 x i32>, align 64
  %lanes.94 = alloca <8 x i32>, align 64
  %lanes.105 = alloca <8 x i32>, align 64
  %lanes.117 = alloca <8 x i32>, align 64
  %results.118 = alloca <8 x i32>, align 64
  %lanes.138 = alloca <8 x i32>, align 64
  %lanes.178 = alloca <8 x i32>, align 64
  %lanes.196 = alloca <8 x i32>, align 64
  %lanes.212 = alloca <8 x i32>, align 64
  %lanes.229 = alloca <8 x i32>, align 64
  %results.230 = alloca <8 x i32>, align 64
  %lanes.256 = alloca <8 x i32>, align 64
  %results.278 = alloca <8 x i32>, align 64
  %lanes.297 = alloca <8 x i32>, align 64
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
  br label %local_x_head.22
local_x_head.22:
  %local_x.26 = phi i64 [ 0, %workgroup_body.14 ], [ %local_x.26.next, %local_x_next.24 ]
  %t.27 = icmp slt i64 %local_x.26, 256
  br i1 %t.27, label %local_x_body.23, label %local_x_end.25
local_x_body.23:
  %t.28 = mul nsw i32 %workgroup_id.19, 256
  %local_id.29 = trunc i64 %local_x.26 to i32
  %t.30 = insertelement <8 x i32> poison, i32 %local_id.29, i32 0
  %t.31 = shufflevector <8 x i32> %t.30, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.32 = add nsw <8 x i32> %t.31, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.33 = insertelement <8 x i32> poison, i32 %t.28, i32 0
  %t.34 = shufflevector <8 x i32> %t.33, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.35 = add nsw <8 x i32> %t.34, %t.32
  %t.36 = sext i32 %workgroup_id.19 to i64
  %index.37 = mul i64 %t.36, 256
  %index.38 = add i64 %index.37, %local_x.26
  br label %lane_head.39
lane_head.39:
  %lane.43 = phi i32 [ 0, %local_x_body.23 ], [ %lane.43.next, %lane_next.41 ]
  %t.44 = icmp slt i32 %lane.43, 8
  br i1 %t.44, label %lane_body.40, label %lane_end.42
lane_body.40:
  %t.45 = zext i32 %lane.43 to i64
  %index.46 = add i64 %local_x.26, %t.45
  %place.47 = getelementptr inbounds i32, ptr %scratch0, i64 %index.46
  store atomic i32 0, ptr %place.47 monotonic, align 4
  br label %lane_next.41
lane_next.41:
  %lane.43.next = add nsw i32 %lane.43, 1
  br label %lane_head.39
lane_end.42:
  br label %local_x_next.24
local_x_next.24:
  %local_x.26.next = add nsw i64 %local_x.26, 8
  br label %local_x_head.22
local_x_end.25:
  ; barrier: every invocation has run the region above
  %t.48 = mul nsw i32 %workgroup_id.19, 256
  %t.49 = add nsw i32 0, %t.48
  %t.50 = sext i32 %t.49 to i64
  %t.51 = sext i32 %param0 to i64
  %room.52 = sub nsw i64 %t.51, %t.50
  %t.53 = call i64 @llvm.smin.i64(i64 %room.52, i64 256)
  %count.54 = call i64 @llvm.smax.i64(i64 %t.53, i64 0)
  %t.55 = and i64 %count.54, -8
  %t.56 = sub nsw i64 %count.54, %t.55
  br label %local_x_head.57
local_x_head.57:
  %local_x.61 = phi i64 [ 0, %local_x_end.25 ], [ %local_x.61.next, %local_x_next.59 ]
  %t.62 = icmp slt i64 %local_x.61, %t.55
  br i1 %t.62, label %local_x_body.58, label %local_x_end.60
local_x_body.58:
  %t.63 = mul nsw i32 %workgroup_id.19, 256
  %local_id.64 = trunc i64 %local_x.61 to i32
  %t.65 = insertelement <8 x i32> poison, i32 %local_id.64, i32 0
  %t.66 = shufflevector <8 x i32> %t.65, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.67 = add nsw <8 x i32> %t.66, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.68 = insertelement <8 x i32> poison, i32 %t.63, i32 0
  %t.69 = shufflevector <8 x i32> %t.68, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.70 = add nsw <8 x i32> %t.69, %t.67
  %t.71 = sext i32 %workgroup_id.19 to i64
  %index.72 = mul i64 %t.71, 256
  %index.73 = add i64 %index.72, %local_x.61
  %t.74 = sext i32 %workgroup_id.19 to i64
  %index.75 = mul i64 %t.74, 256
  %index.76 = add i64 %index.75, %local_x.61
  %place.77 = getelementptr inbounds i32, ptr %buffer0, i64 %index.76
  %values.78 = load <8 x i32>, ptr %place.77, align 4
  %t.79 = and <8 x i32> %values.78, <i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255>
  %t.80 = and <8 x i32> %values.78, <i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255>
  store <8 x i32> %t.79, ptr %lanes.81
  br label %lane_head.82
lane_head.82:
  %lane.86 = phi i32 [ 0, %local_x_body.58 ], [ %lane.86.next, %lane_next.84 ]
  %t.87 = icmp slt i32 %lane.86, 8
  br i1 %t.87, label %lane_body.83, label %lane_end.85
lane_body.83:
  %t.88 = getelementptr inbounds i32, ptr %lanes.81, i32 %lane.86
  %t.89 = load i32, ptr %t.88
  %t.90 = sext i32 %t.89 to i64
  %place.91 = getelementptr inbounds i32, ptr %scratch0, i64 %t.90
  %t.92 = load i32, ptr %place.91, align 4
  %t.93 = add i32 %t.92, 1
  store i32 %t.93, ptr %place.91, align 4
  br label %lane_next.84
lane_next.84:
  %lane.86.next = add nsw i32 %lane.86, 1
  br label %lane_head.82
lane_end.85:
  store <8 x i32> %t.79, ptr %lanes.94
  br label %lane_head.95
lane_head.95:
  %lane.99 = phi i32 [ 0, %lane_end.85 ], [ %lane.99.next, %lane_next.97 ]
  %t.100 = icmp slt i32 %lane.99, 8
  br i1 %t.100, label %lane_body.96, label %lane_end.98
lane_body.96:
  %t.101 = getelementptr inbounds i32, ptr %lanes.94, i32 %lane.99
  %t.102 = load i32, ptr %t.101
  %place.103 = getelementptr inbounds i32, ptr %buffer2, i64 0
  %t.104 = atomicrmw min ptr %place.103, i32 %t.102 monotonic
  br label %lane_next.97
lane_next.97:
  %lane.99.next = add nsw i32 %lane.99, 1
  br label %lane_head.95
lane_end.98:
  store <8 x i32> %t.79, ptr %lanes.105
  br label %lane_head.106
lane_head.106:
  %lane.110 = phi i32 [ 0, %lane_end.98 ], [ %lane.110.next, %lane_next.108 ]
  %t.111 = icmp slt i32 %lane.110, 8
  br i1 %t.111, label %lane_body.107, label %lane_end.109
lane_body.107:
  %t.112 = getelementptr inbounds i32, ptr %lanes.105, i32 %lane.110
  %t.113 = load i32, ptr %t.112
  %place.114 = getelementptr inbounds i32, ptr %buffer2, i64 1
  %t.115 = atomicrmw max ptr %place.114, i32 %t.113 monotonic
  br label %lane_next.108
lane_next.108:
  %lane.110.next = add nsw i32 %lane.110, 1
  br label %lane_head.106
lane_end.109:
  %t.116 = add nsw <8 x i32> %t.79, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  store <8 x i32> %t.116, ptr %lanes.117
  store <8 x i32> zeroinitializer, ptr %results.118
  br label %lane_head.119
lane_head.119:
  %lane.123 = phi i32 [ 0, %lane_end.109 ], [ %lane.123.next, %lane_next.121 ]
  %t.124 = icmp slt i32 %lane.123, 8
  br i1 %t.124, label %lane_body.120, label %lane_end.122
lane_body.120:
  %t.125 = getelementptr inbounds i32, ptr %lanes.117, i32 %lane.123
  %t.126 = load i32, ptr %t.125
  %place.127 = getelementptr inbounds i32, ptr %buffer2, i64 2
  %t.128 = cmpxchg ptr %place.127, i32 0, i32 %t.126 monotonic monotonic
  %t.129 = extractvalue { i32, i1 } %t.128, 0
  %t.130 = getelementptr inbounds i32, ptr %results.118, i32 %lane.123
  store i32 %t.129, ptr %t.130
  br label %lane_next.121
lane_next.121:
  %lane.123.next = add nsw i32 %lane.123, 1
  br label %lane_head.119
lane_end.122:
  %before.131 = load <8 x i32>, ptr %results.118
  %t.132 = icmp eq <8 x i32> %before.131, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.136 = bitcast <8 x i1> %t.132 to i8
  %t.137 = icmp ne i8 %t.136, 0
  br i1 %t.137, label %lanes.134, label %endlanes.135
lanes.134:
  store <8 x i32> %t.70, ptr %lanes.138
  br label %lane_head.139
lane_head.139:
  %lane.143 = phi i32 [ 0, %lanes.134 ], [ %lane.143.next, %lane_next.141 ]
  %t.144 = icmp slt i32 %lane.143, 8
  br i1 %t.144, label %lane_body.140, label %lane_end.142
lane_body.140:
  %t.146 = bitcast <8 x i1> %t.132 to i8
  %t.147 = trunc i32 %lane.143 to i8
  %t.148 = lshr i8 %t.146, %t.147
  %t.149 = trunc i8 %t.148 to i1
  br i1 %t.149, label %lane_on.145, label %lane_next.141
lane_on.145:
  %t.150 = getelementptr inbounds i32, ptr %lanes.138, i32 %lane.143
  %t.151 = load i32, ptr %t.150
  %place.152 = getelementptr inbounds i32, ptr %buffer2, i64 3
  %t.153 = atomicrmw xchg ptr %place.152, i32 %t.151 monotonic
  br label %lane_next.141
lane_next.141:
  %lane.143.next = add nsw i32 %lane.143, 1
  br label %lane_head.139
lane_end.142:
  br label %endlanes.135
endlanes.135:
  br label %local_x_next.59
local_x_next.59:
  %local_x.61.next = add nsw i64 %local_x.61, 8
  br label %local_x_head.57
local_x_end.60:
  %t.156 = icmp sgt i64 %t.56, 0
  br i1 %t.156, label %last_gang.155, label %row_end.154
last_gang.155:
  %t.157 = insertelement <8 x i64> poison, i64 %t.56, i32 0
  %t.158 = shufflevector <8 x i64> %t.157, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask.159 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %t.158
  %t.160 = mul nsw i32 %workgroup_id.19, 256
  %local_id.161 = trunc i64 %t.55 to i32
  %t.162 = insertelement <8 x i32> poison, i32 %local_id.161, i32 0
  %t.163 = shufflevector <8 x i32> %t.162, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.164 = add nsw <8 x i32> %t.163, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.165 = insertelement <8 x i32> poison, i32 %t.160, i32 0
  %t.166 = shufflevector <8 x i32> %t.165, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.167 = add nsw <8 x i32> %t.166, %t.164
  %t.168 = sext i32 %workgroup_id.19 to i64
  %index.169 = mul i64 %t.168, 256
  %index.170 = add i64 %index.169, %t.55
  %t.171 = sext i32 %workgroup_id.19 to i64
  %index.172 = mul i64 %t.171, 256
  %index.173 = add i64 %index.172, %t.55
  %place.174 = getelementptr inbounds i32, ptr %buffer0, i64 %index.173
  %values.175 = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %place.174, i32 4, <8 x i1> %mask.159, <8 x i32> poison)
  %t.176 = and <8 x i32> %values.175, <i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255>
  %t.177 = and <8 x i32> %values.175, <i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255>
  store <8 x i32> %t.176, ptr %lanes.178
  br label %lane_head.179
lane_head.179:
  %lane.183 = phi i32 [ 0, %last_gang.155 ], [ %lane.183.next, %lane_next.181 ]
  %t.184 = icmp slt i32 %lane.183, 8
  br i1 %t.184, label %lane_body.180, label %lane_end.182
lane_body.180:
  %t.186 = bitcast <8 x i1> %mask.159 to i8
  %t.187 = trunc i32 %lane.183 to i8
  %t.188 = lshr i8 %t.186, %t.187
  %t.189 = trunc i8 %t.188 to i1
  br i1 %t.189, label %lane_on.185, label %lane_next.181
lane_on.185:
  %t.190 = getelementptr inbounds i32, ptr %lanes.178, i32 %lane.183
  %t.191 = load i32, ptr %t.190
  %t.192 = sext i32 %t.191 to i64
  %place.193 = getelementptr inbounds i32, ptr %scratch0, i64 %t.192
  %t.194 = load i32, ptr %place.193, align 4
  %t.195 = add i32 %t.194, 1
  store i32 %t.195, ptr %place.193, align 4
  br label %lane_next.181
lane_next.181:
  %lane.183.next = add nsw i32 %lane.183, 1
  br label %lane_head.179
lane_end.182:
  store <8 x i32> %t.176, ptr %lanes.196
  br label %lane_head.197
lane_head.197:
  %lane.201 = phi i32 [ 0, %lane_end.182 ], [ %lane.201.next, %lane_next.199 ]
  %t.202 = icmp slt i32 %lane.201, 8
  br i1 %t.202, label %lane_body.198, label %lane_end.200
lane_body.198:
  %t.204 = bitcast <8 x i1> %mask.159 to i8
  %t.205 = trunc i32 %lane.201 to i8
  %t.206 = lshr i8 %t.204, %t.205
  %t.207 = trunc i8 %t.206 to i1
  br i1 %t.207, label %lane_on.203, label %lane_next.199
lane_on.203:
  %t.208 = getelementptr inbounds i32, ptr %lanes.196, i32 %lane.201
  %t.209 = load i32, ptr %t.208
  %place.210 = getelementptr inbounds i32, ptr %buffer2, i64 0
  %t.211 = atomicrmw min ptr %place.210, i32 %t.209 monotonic
  br label %lane_next.199
lane_next.199:
  %lane.201.next = add nsw i32 %lane.201, 1
  br label %lane_head.197
lane_end.200:
  store <8 x i32> %t.176, ptr %lanes.212
  br label %lane_head.213
lane_head.213:
  %lane.217 = phi i32 [ 0, %lane_end.200 ], [ %lane.217.next, %lane_next.215 ]
  %t.218 = icmp slt i32 %lane.217, 8
  br i1 %t.218, label %lane_body.214, label %lane_end.216
lane_body.214:
  %t.220 = bitcast <8 x i1> %mask.159 to i8
  %t.221 = trunc i32 %lane.217 to i8
  %t.222 = lshr i8 %t.220, %t.221
  %t.223 = trunc i8 %t.222 to i1
  br i1 %t.223, label %lane_on.219, label %lane_next.215
lane_on.219:
  %t.224 = getelementptr inbounds i32, ptr %lanes.212, i32 %lane.217
  %t.225 = load i32, ptr %t.224
  %place.226 = getelementptr inbounds i32, ptr %buffer2, i64 1
  %t.227 = atomicrmw max ptr %place.226, i32 %t.225 monotonic
  br label %lane_next.215
lane_next.215:
  %lane.217.next = add nsw i32 %lane.217, 1
  br label %lane_head.213
lane_end.216:
  %t.228 = add nsw <8 x i32> %t.176, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  store <8 x i32> %t.228, ptr %lanes.229
  store <8 x i32> zeroinitializer, ptr %results.230
  br label %lane_head.231
lane_head.231:
  %lane.235 = phi i32 [ 0, %lane_end.216 ], [ %lane.235.next, %lane_next.233 ]
  %t.236 = icmp slt i32 %lane.235, 8
  br i1 %t.236, label %lane_body.232, label %lane_end.234
lane_body.232:
  %t.238 = bitcast <8 x i1> %mask.159 to i8
  %t.239 = trunc i32 %lane.235 to i8
  %t.240 = lshr i8 %t.238, %t.239
  %t.241 = trunc i8 %t.240 to i1
  br i1 %t.241, label %lane_on.237, label %lane_next.233
lane_on.237:
  %t.242 = getelementptr inbounds i32, ptr %lanes.229, i32 %lane.235
  %t.243 = load i32, ptr %t.242
  %place.244 = getelementptr inbounds i32, ptr %buffer2, i64 2
  %t.245 = cmpxchg ptr %place.244, i32 0, i32 %t.243 monotonic monotonic
  %t.246 = extractvalue { i32, i1 } %t.245, 0
  %t.247 = getelementptr inbounds i32, ptr %results.230, i32 %lane.235
  store i32 %t.246, ptr %t.247
  br label %lane_next.233
lane_next.233:
  %lane.235.next = add nsw i32 %lane.235, 1
  br label %lane_head.231
lane_end.234:
  %before.248 = load <8 x i32>, ptr %results.230
  %t.249 = icmp eq <8 x i32> %before.248, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.251 = and <8 x i1> %mask.159, %t.249
  %t.254 = bitcast <8 x i1> %t.251 to i8
  %t.255 = icmp ne i8 %t.254, 0
  br i1 %t.255, label %lanes.252, label %endlanes.253
lanes.252:
  store <8 x i32> %t.167, ptr %lanes.256
  br label %lane_head.257
lane_head.257:
  %lane.261 = phi i32 [ 0, %lanes.252 ], [ %lane.261.next, %lane_next.259 ]
  %t.262 = icmp slt i32 %lane.261, 8
  br i1 %t.262, label %lane_body.258, label %lane_end.260
lane_body.258:
  %t.264 = bitcast <8 x i1> %t.251 to i8
  %t.265 = trunc i32 %lane.261 to i8
  %t.266 = lshr i8 %t.264, %t.265
  %t.267 = trunc i8 %t.266 to i1
  br i1 %t.267, label %lane_on.263, label %lane_next.259
lane_on.263:
  %t.268 = getelementptr inbounds i32, ptr %lanes.256, i32 %lane.261
  %t.269 = load i32, ptr %t.268
  %place.270 = getelementptr inbounds i32, ptr %buffer2, i64 3
  %t.271 = atomicrmw xchg ptr %place.270, i32 %t.269 monotonic
  br label %lane_next.259
lane_next.259:
  %lane.261.next = add nsw i32 %lane.261, 1
  br label %lane_head.257
lane_end.260:
  br label %endlanes.253
endlanes.253:
  br label %row_end.154
row_end.154:
  ; barrier: every invocation has run the region above
  br label %local_x_head.272
local_x_head.272:
  %local_x.276 = phi i64 [ 0, %row_end.154 ], [ %local_x.276.next, %local_x_next.274 ]
  %t.277 = icmp slt i64 %local_x.276, 256
  br i1 %t.277, label %local_x_body.273, label %local_x_end.275
local_x_body.273:
  store <8 x i32> zeroinitializer, ptr %results.278
  br label %lane_head.279
lane_head.279:
  %lane.283 = phi i32 [ 0, %local_x_body.273 ], [ %lane.283.next, %lane_next.281 ]
  %t.284 = icmp slt i32 %lane.283, 8
  br i1 %t.284, label %lane_body.280, label %lane_end.282
lane_body.280:
  %t.285 = zext i32 %lane.283 to i64
  %index.286 = add i64 %local_x.276, %t.285
  %place.287 = getelementptr inbounds i32, ptr %scratch0, i64 %index.286
  %t.288 = load i32, ptr %place.287, align 4
  %t.289 = getelementptr inbounds i32, ptr %results.278, i32 %lane.283
  store i32 %t.288, ptr %t.289
  br label %lane_next.281
lane_next.281:
  %lane.283.next = add nsw i32 %lane.283, 1
  br label %lane_head.279
lane_end.282:
  %before.290 = load <8 x i32>, ptr %results.278
  %t.291 = icmp ugt <8 x i32> %before.290, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.295 = bitcast <8 x i1> %t.291 to i8
  %t.296 = icmp ne i8 %t.295, 0
  br i1 %t.296, label %lanes.293, label %endlanes.294
lanes.293:
  store <8 x i32> %before.290, ptr %lanes.297
  br label %lane_head.298
lane_head.298:
  %lane.302 = phi i32 [ 0, %lanes.293 ], [ %lane.302.next, %lane_next.300 ]
  %t.303 = icmp slt i32 %lane.302, 8
  br i1 %t.303, label %lane_body.299, label %lane_end.301
lane_body.299:
  %t.305 = bitcast <8 x i1> %t.291 to i8
  %t.306 = trunc i32 %lane.302 to i8
  %t.307 = lshr i8 %t.305, %t.306
  %t.308 = trunc i8 %t.307 to i1
  br i1 %t.308, label %lane_on.304, label %lane_next.300
lane_on.304:
  %t.309 = getelementptr inbounds i32, ptr %lanes.297, i32 %lane.302
  %t.310 = load i32, ptr %t.309
  %t.311 = zext i32 %lane.302 to i64
  %index.312 = add i64 %local_x.276, %t.311
  %place.313 = getelementptr inbounds i32, ptr %buffer1, i64 %index.312
  %t.314 = atomicrmw add ptr %place.313, i32 %t.310 monotonic
  br label %lane_next.300
lane_next.300:
  %lane.302.next = add nsw i32 %lane.302, 1
  br label %lane_head.298
lane_end.301:
  br label %endlanes.294
endlanes.294:
  br label %local_x_next.274
local_x_next.274:
  %local_x.276.next = add nsw i64 %local_x.276, 8
  br label %local_x_head.272
local_x_end.275:
  %t.315 = zext i1 true to i32
  %t.316 = add nuw i32 %workgroup_id.19, %t.315
  %t.317 = icmp eq i32 %t.316, %gx
  %t.318 = select i1 %t.317, i32 0, i32 %t.316
  store i32 %t.318, ptr %workgroup_id.7
  %t.319 = zext i1 %t.317 to i32
  %t.320 = add nuw i32 %workgroup_id.20, %t.319
  %t.321 = icmp eq i32 %t.320, %gy
  %t.322 = select i1 %t.321, i32 0, i32 %t.320
  store i32 %t.322, ptr %workgroup_id.9
  %t.323 = zext i1 %t.321 to i32
  %t.324 = add nuw i32 %workgroup_id.21, %t.323
  %t.325 = icmp eq i32 %t.324, %gz
  %t.326 = select i1 %t.325, i32 0, i32 %t.324
  store i32 %t.326, ptr %workgroup_id.11
  br label %workgroup_next.15
workgroup_next.15:
  %workgroup.17.next = add nsw i64 %workgroup.17, 1
  br label %workgroup_head.13
workgroup_end.16:
  ret void
}

declare <8 x i32> @llvm.masked.load.v8i32.p0(ptr, i32, <8 x i1>, <8 x i32>)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
