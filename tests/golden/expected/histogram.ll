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
  %lanes.75 = alloca <8 x i32>, align 64
  %lanes.88 = alloca <8 x i32>, align 64
  %lanes.99 = alloca <8 x i32>, align 64
  %lanes.111 = alloca <8 x i32>, align 64
  %results.112 = alloca <8 x i32>, align 64
  %lanes.132 = alloca <8 x i32>, align 64
  %lanes.172 = alloca <8 x i32>, align 64
  %lanes.190 = alloca <8 x i32>, align 64
  %lanes.206 = alloca <8 x i32>, align 64
  %lanes.223 = alloca <8 x i32>, align 64
  %results.224 = alloca <8 x i32>, align 64
  %lanes.250 = alloca <8 x i32>, align 64
  %results.272 = alloca <8 x i32>, align 64
  %lanes.291 = alloca <8 x i32>, align 64
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
  br label %local_x_head.16
local_x_head.16:
  %local_x.20 = phi i64 [ 0, %workgroup_body.2 ], [ %local_x.20.next, %local_x_next.18 ]
  %t.21 = icmp slt i64 %local_x.20, 256
  br i1 %t.21, label %local_x_body.17, label %local_x_end.19
local_x_body.17:
  %t.22 = mul nsw i32 %workgroup_id.13, 256
  %local_id.23 = trunc i64 %local_x.20 to i32
  %t.24 = insertelement <8 x i32> poison, i32 %local_id.23, i32 0
  %t.25 = shufflevector <8 x i32> %t.24, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.26 = add nsw <8 x i32> %t.25, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.27 = insertelement <8 x i32> poison, i32 %t.22, i32 0
  %t.28 = shufflevector <8 x i32> %t.27, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.29 = add nsw <8 x i32> %t.28, %t.26
  %t.30 = sext i32 %workgroup_id.13 to i64
  %index.31 = mul i64 %t.30, 256
  %index.32 = add i64 %index.31, %local_x.20
  br label %lane_head.33
lane_head.33:
  %lane.37 = phi i32 [ 0, %local_x_body.17 ], [ %lane.37.next, %lane_next.35 ]
  %t.38 = icmp slt i32 %lane.37, 8
  br i1 %t.38, label %lane_body.34, label %lane_end.36
lane_body.34:
  %t.39 = zext i32 %lane.37 to i64
  %index.40 = add i64 %local_x.20, %t.39
  %place.41 = getelementptr inbounds i32, ptr %scratch0, i64 %index.40
  store atomic i32 0, ptr %place.41 monotonic, align 4
  br label %lane_next.35
lane_next.35:
  %lane.37.next = add nsw i32 %lane.37, 1
  br label %lane_head.33
lane_end.36:
  br label %local_x_next.18
local_x_next.18:
  %local_x.20.next = add nsw i64 %local_x.20, 8
  br label %local_x_head.16
local_x_end.19:
  ; barrier: every invocation has run the region above
  %t.42 = mul nsw i32 %workgroup_id.13, 256
  %t.43 = add nsw i32 0, %t.42
  %t.44 = sext i32 %t.43 to i64
  %t.45 = sext i32 %param0 to i64
  %room.46 = sub nsw i64 %t.45, %t.44
  %t.47 = call i64 @llvm.smin.i64(i64 %room.46, i64 256)
  %count.48 = call i64 @llvm.smax.i64(i64 %t.47, i64 0)
  %t.49 = and i64 %count.48, -8
  %t.50 = sub nsw i64 %count.48, %t.49
  br label %local_x_head.51
local_x_head.51:
  %local_x.55 = phi i64 [ 0, %local_x_end.19 ], [ %local_x.55.next, %local_x_next.53 ]
  %t.56 = icmp slt i64 %local_x.55, %t.49
  br i1 %t.56, label %local_x_body.52, label %local_x_end.54
local_x_body.52:
  %t.57 = mul nsw i32 %workgroup_id.13, 256
  %local_id.58 = trunc i64 %local_x.55 to i32
  %t.59 = insertelement <8 x i32> poison, i32 %local_id.58, i32 0
  %t.60 = shufflevector <8 x i32> %t.59, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.61 = add nsw <8 x i32> %t.60, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.62 = insertelement <8 x i32> poison, i32 %t.57, i32 0
  %t.63 = shufflevector <8 x i32> %t.62, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.64 = add nsw <8 x i32> %t.63, %t.61
  %t.65 = sext i32 %workgroup_id.13 to i64
  %index.66 = mul i64 %t.65, 256
  %index.67 = add i64 %index.66, %local_x.55
  %t.68 = sext i32 %workgroup_id.13 to i64
  %index.69 = mul i64 %t.68, 256
  %index.70 = add i64 %index.69, %local_x.55
  %place.71 = getelementptr inbounds i32, ptr %buffer0, i64 %index.70
  %values.72 = load <8 x i32>, ptr %place.71, align 4
  %t.73 = and <8 x i32> %values.72, <i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255>
  %t.74 = and <8 x i32> %values.72, <i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255>
  store <8 x i32> %t.73, ptr %lanes.75
  br label %lane_head.76
lane_head.76:
  %lane.80 = phi i32 [ 0, %local_x_body.52 ], [ %lane.80.next, %lane_next.78 ]
  %t.81 = icmp slt i32 %lane.80, 8
  br i1 %t.81, label %lane_body.77, label %lane_end.79
lane_body.77:
  %t.82 = getelementptr inbounds i32, ptr %lanes.75, i32 %lane.80
  %t.83 = load i32, ptr %t.82
  %t.84 = sext i32 %t.83 to i64
  %place.85 = getelementptr inbounds i32, ptr %scratch0, i64 %t.84
  %t.86 = load i32, ptr %place.85, align 4
  %t.87 = add i32 %t.86, 1
  store i32 %t.87, ptr %place.85, align 4
  br label %lane_next.78
lane_next.78:
  %lane.80.next = add nsw i32 %lane.80, 1
  br label %lane_head.76
lane_end.79:
  store <8 x i32> %t.73, ptr %lanes.88
  br label %lane_head.89
lane_head.89:
  %lane.93 = phi i32 [ 0, %lane_end.79 ], [ %lane.93.next, %lane_next.91 ]
  %t.94 = icmp slt i32 %lane.93, 8
  br i1 %t.94, label %lane_body.90, label %lane_end.92
lane_body.90:
  %t.95 = getelementptr inbounds i32, ptr %lanes.88, i32 %lane.93
  %t.96 = load i32, ptr %t.95
  %place.97 = getelementptr inbounds i32, ptr %buffer2, i64 0
  %t.98 = atomicrmw min ptr %place.97, i32 %t.96 monotonic
  br label %lane_next.91
lane_next.91:
  %lane.93.next = add nsw i32 %lane.93, 1
  br label %lane_head.89
lane_end.92:
  store <8 x i32> %t.73, ptr %lanes.99
  br label %lane_head.100
lane_head.100:
  %lane.104 = phi i32 [ 0, %lane_end.92 ], [ %lane.104.next, %lane_next.102 ]
  %t.105 = icmp slt i32 %lane.104, 8
  br i1 %t.105, label %lane_body.101, label %lane_end.103
lane_body.101:
  %t.106 = getelementptr inbounds i32, ptr %lanes.99, i32 %lane.104
  %t.107 = load i32, ptr %t.106
  %place.108 = getelementptr inbounds i32, ptr %buffer2, i64 1
  %t.109 = atomicrmw max ptr %place.108, i32 %t.107 monotonic
  br label %lane_next.102
lane_next.102:
  %lane.104.next = add nsw i32 %lane.104, 1
  br label %lane_head.100
lane_end.103:
  %t.110 = add nsw <8 x i32> %t.73, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  store <8 x i32> %t.110, ptr %lanes.111
  store <8 x i32> zeroinitializer, ptr %results.112
  br label %lane_head.113
lane_head.113:
  %lane.117 = phi i32 [ 0, %lane_end.103 ], [ %lane.117.next, %lane_next.115 ]
  %t.118 = icmp slt i32 %lane.117, 8
  br i1 %t.118, label %lane_body.114, label %lane_end.116
lane_body.114:
  %t.119 = getelementptr inbounds i32, ptr %lanes.111, i32 %lane.117
  %t.120 = load i32, ptr %t.119
  %place.121 = getelementptr inbounds i32, ptr %buffer2, i64 2
  %t.122 = cmpxchg ptr %place.121, i32 0, i32 %t.120 monotonic monotonic
  %t.123 = extractvalue { i32, i1 } %t.122, 0
  %t.124 = getelementptr inbounds i32, ptr %results.112, i32 %lane.117
  store i32 %t.123, ptr %t.124
  br label %lane_next.115
lane_next.115:
  %lane.117.next = add nsw i32 %lane.117, 1
  br label %lane_head.113
lane_end.116:
  %before.125 = load <8 x i32>, ptr %results.112
  %t.126 = icmp eq <8 x i32> %before.125, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.130 = bitcast <8 x i1> %t.126 to i8
  %t.131 = icmp ne i8 %t.130, 0
  br i1 %t.131, label %lanes.128, label %endlanes.129
lanes.128:
  store <8 x i32> %t.64, ptr %lanes.132
  br label %lane_head.133
lane_head.133:
  %lane.137 = phi i32 [ 0, %lanes.128 ], [ %lane.137.next, %lane_next.135 ]
  %t.138 = icmp slt i32 %lane.137, 8
  br i1 %t.138, label %lane_body.134, label %lane_end.136
lane_body.134:
  %t.140 = bitcast <8 x i1> %t.126 to i8
  %t.141 = trunc i32 %lane.137 to i8
  %t.142 = lshr i8 %t.140, %t.141
  %t.143 = trunc i8 %t.142 to i1
  br i1 %t.143, label %lane_on.139, label %lane_next.135
lane_on.139:
  %t.144 = getelementptr inbounds i32, ptr %lanes.132, i32 %lane.137
  %t.145 = load i32, ptr %t.144
  %place.146 = getelementptr inbounds i32, ptr %buffer2, i64 3
  %t.147 = atomicrmw xchg ptr %place.146, i32 %t.145 monotonic
  br label %lane_next.135
lane_next.135:
  %lane.137.next = add nsw i32 %lane.137, 1
  br label %lane_head.133
lane_end.136:
  br label %endlanes.129
endlanes.129:
  br label %local_x_next.53
local_x_next.53:
  %local_x.55.next = add nsw i64 %local_x.55, 8
  br label %local_x_head.51
local_x_end.54:
  %t.150 = icmp sgt i64 %t.50, 0
  br i1 %t.150, label %last_gang.149, label %row_end.148
last_gang.149:
  %t.151 = insertelement <8 x i64> poison, i64 %t.50, i32 0
  %t.152 = shufflevector <8 x i64> %t.151, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask.153 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %t.152
  %t.154 = mul nsw i32 %workgroup_id.13, 256
  %local_id.155 = trunc i64 %t.49 to i32
  %t.156 = insertelement <8 x i32> poison, i32 %local_id.155, i32 0
  %t.157 = shufflevector <8 x i32> %t.156, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.158 = add nsw <8 x i32> %t.157, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.159 = insertelement <8 x i32> poison, i32 %t.154, i32 0
  %t.160 = shufflevector <8 x i32> %t.159, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.161 = add nsw <8 x i32> %t.160, %t.158
  %t.162 = sext i32 %workgroup_id.13 to i64
  %index.163 = mul i64 %t.162, 256
  %index.164 = add i64 %index.163, %t.49
  %t.165 = sext i32 %workgroup_id.13 to i64
  %index.166 = mul i64 %t.165, 256
  %index.167 = add i64 %index.166, %t.49
  %place.168 = getelementptr inbounds i32, ptr %buffer0, i64 %index.167
  %values.169 = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %place.168, i32 4, <8 x i1> %mask.153, <8 x i32> poison)
  %t.170 = and <8 x i32> %values.169, <i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255>
  %t.171 = and <8 x i32> %values.169, <i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255>
  store <8 x i32> %t.170, ptr %lanes.172
  br label %lane_head.173
lane_head.173:
  %lane.177 = phi i32 [ 0, %last_gang.149 ], [ %lane.177.next, %lane_next.175 ]
  %t.178 = icmp slt i32 %lane.177, 8
  br i1 %t.178, label %lane_body.174, label %lane_end.176
lane_body.174:
  %t.180 = bitcast <8 x i1> %mask.153 to i8
  %t.181 = trunc i32 %lane.177 to i8
  %t.182 = lshr i8 %t.180, %t.181
  %t.183 = trunc i8 %t.182 to i1
  br i1 %t.183, label %lane_on.179, label %lane_next.175
lane_on.179:
  %t.184 = getelementptr inbounds i32, ptr %lanes.172, i32 %lane.177
  %t.185 = load i32, ptr %t.184
  %t.186 = sext i32 %t.185 to i64
  %place.187 = getelementptr inbounds i32, ptr %scratch0, i64 %t.186
  %t.188 = load i32, ptr %place.187, align 4
  %t.189 = add i32 %t.188, 1
  store i32 %t.189, ptr %place.187, align 4
  br label %lane_next.175
lane_next.175:
  %lane.177.next = add nsw i32 %lane.177, 1
  br label %lane_head.173
lane_end.176:
  store <8 x i32> %t.170, ptr %lanes.190
  br label %lane_head.191
lane_head.191:
  %lane.195 = phi i32 [ 0, %lane_end.176 ], [ %lane.195.next, %lane_next.193 ]
  %t.196 = icmp slt i32 %lane.195, 8
  br i1 %t.196, label %lane_body.192, label %lane_end.194
lane_body.192:
  %t.198 = bitcast <8 x i1> %mask.153 to i8
  %t.199 = trunc i32 %lane.195 to i8
  %t.200 = lshr i8 %t.198, %t.199
  %t.201 = trunc i8 %t.200 to i1
  br i1 %t.201, label %lane_on.197, label %lane_next.193
lane_on.197:
  %t.202 = getelementptr inbounds i32, ptr %lanes.190, i32 %lane.195
  %t.203 = load i32, ptr %t.202
  %place.204 = getelementptr inbounds i32, ptr %buffer2, i64 0
  %t.205 = atomicrmw min ptr %place.204, i32 %t.203 monotonic
  br label %lane_next.193
lane_next.193:
  %lane.195.next = add nsw i32 %lane.195, 1
  br label %lane_head.191
lane_end.194:
  store <8 x i32> %t.170, ptr %lanes.206
  br label %lane_head.207
lane_head.207:
  %lane.211 = phi i32 [ 0, %lane_end.194 ], [ %lane.211.next, %lane_next.209 ]
  %t.212 = icmp slt i32 %lane.211, 8
  br i1 %t.212, label %lane_body.208, label %lane_end.210
lane_body.208:
  %t.214 = bitcast <8 x i1> %mask.153 to i8
  %t.215 = trunc i32 %lane.211 to i8
  %t.216 = lshr i8 %t.214, %t.215
  %t.217 = trunc i8 %t.216 to i1
  br i1 %t.217, label %lane_on.213, label %lane_next.209
lane_on.213:
  %t.218 = getelementptr inbounds i32, ptr %lanes.206, i32 %lane.211
  %t.219 = load i32, ptr %t.218
  %place.220 = getelementptr inbounds i32, ptr %buffer2, i64 1
  %t.221 = atomicrmw max ptr %place.220, i32 %t.219 monotonic
  br label %lane_next.209
lane_next.209:
  %lane.211.next = add nsw i32 %lane.211, 1
  br label %lane_head.207
lane_end.210:
  %t.222 = add nsw <8 x i32> %t.170, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  store <8 x i32> %t.222, ptr %lanes.223
  store <8 x i32> zeroinitializer, ptr %results.224
  br label %lane_head.225
lane_head.225:
  %lane.229 = phi i32 [ 0, %lane_end.210 ], [ %lane.229.next, %lane_next.227 ]
  %t.230 = icmp slt i32 %lane.229, 8
  br i1 %t.230, label %lane_body.226, label %lane_end.228
lane_body.226:
  %t.232 = bitcast <8 x i1> %mask.153 to i8
  %t.233 = trunc i32 %lane.229 to i8
  %t.234 = lshr i8 %t.232, %t.233
  %t.235 = trunc i8 %t.234 to i1
  br i1 %t.235, label %lane_on.231, label %lane_next.227
lane_on.231:
  %t.236 = getelementptr inbounds i32, ptr %lanes.223, i32 %lane.229
  %t.237 = load i32, ptr %t.236
  %place.238 = getelementptr inbounds i32, ptr %buffer2, i64 2
  %t.239 = cmpxchg ptr %place.238, i32 0, i32 %t.237 monotonic monotonic
  %t.240 = extractvalue { i32, i1 } %t.239, 0
  %t.241 = getelementptr inbounds i32, ptr %results.224, i32 %lane.229
  store i32 %t.240, ptr %t.241
  br label %lane_next.227
lane_next.227:
  %lane.229.next = add nsw i32 %lane.229, 1
  br label %lane_head.225
lane_end.228:
  %before.242 = load <8 x i32>, ptr %results.224
  %t.243 = icmp eq <8 x i32> %before.242, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.245 = and <8 x i1> %mask.153, %t.243
  %t.248 = bitcast <8 x i1> %t.245 to i8
  %t.249 = icmp ne i8 %t.248, 0
  br i1 %t.249, label %lanes.246, label %endlanes.247
lanes.246:
  store <8 x i32> %t.161, ptr %lanes.250
  br label %lane_head.251
lane_head.251:
  %lane.255 = phi i32 [ 0, %lanes.246 ], [ %lane.255.next, %lane_next.253 ]
  %t.256 = icmp slt i32 %lane.255, 8
  br i1 %t.256, label %lane_body.252, label %lane_end.254
lane_body.252:
  %t.258 = bitcast <8 x i1> %t.245 to i8
  %t.259 = trunc i32 %lane.255 to i8
  %t.260 = lshr i8 %t.258, %t.259
  %t.261 = trunc i8 %t.260 to i1
  br i1 %t.261, label %lane_on.257, label %lane_next.253
lane_on.257:
  %t.262 = getelementptr inbounds i32, ptr %lanes.250, i32 %lane.255
  %t.263 = load i32, ptr %t.262
  %place.264 = getelementptr inbounds i32, ptr %buffer2, i64 3
  %t.265 = atomicrmw xchg ptr %place.264, i32 %t.263 monotonic
  br label %lane_next.253
lane_next.253:
  %lane.255.next = add nsw i32 %lane.255, 1
  br label %lane_head.251
lane_end.254:
  br label %endlanes.247
endlanes.247:
  br label %row_end.148
row_end.148:
  ; barrier: every invocation has run the region above
  br label %local_x_head.266
local_x_head.266:
  %local_x.270 = phi i64 [ 0, %row_end.148 ], [ %local_x.270.next, %local_x_next.268 ]
  %t.271 = icmp slt i64 %local_x.270, 256
  br i1 %t.271, label %local_x_body.267, label %local_x_end.269
local_x_body.267:
  store <8 x i32> zeroinitializer, ptr %results.272
  br label %lane_head.273
lane_head.273:
  %lane.277 = phi i32 [ 0, %local_x_body.267 ], [ %lane.277.next, %lane_next.275 ]
  %t.278 = icmp slt i32 %lane.277, 8
  br i1 %t.278, label %lane_body.274, label %lane_end.276
lane_body.274:
  %t.279 = zext i32 %lane.277 to i64
  %index.280 = add i64 %local_x.270, %t.279
  %place.281 = getelementptr inbounds i32, ptr %scratch0, i64 %index.280
  %t.282 = load i32, ptr %place.281, align 4
  %t.283 = getelementptr inbounds i32, ptr %results.272, i32 %lane.277
  store i32 %t.282, ptr %t.283
  br label %lane_next.275
lane_next.275:
  %lane.277.next = add nsw i32 %lane.277, 1
  br label %lane_head.273
lane_end.276:
  %before.284 = load <8 x i32>, ptr %results.272
  %t.285 = icmp ugt <8 x i32> %before.284, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.289 = bitcast <8 x i1> %t.285 to i8
  %t.290 = icmp ne i8 %t.289, 0
  br i1 %t.290, label %lanes.287, label %endlanes.288
lanes.287:
  store <8 x i32> %before.284, ptr %lanes.291
  br label %lane_head.292
lane_head.292:
  %lane.296 = phi i32 [ 0, %lanes.287 ], [ %lane.296.next, %lane_next.294 ]
  %t.297 = icmp slt i32 %lane.296, 8
  br i1 %t.297, label %lane_body.293, label %lane_end.295
lane_body.293:
  %t.299 = bitcast <8 x i1> %t.285 to i8
  %t.300 = trunc i32 %lane.296 to i8
  %t.301 = lshr i8 %t.299, %t.300
  %t.302 = trunc i8 %t.301 to i1
  br i1 %t.302, label %lane_on.298, label %lane_next.294
lane_on.298:
  %t.303 = getelementptr inbounds i32, ptr %lanes.291, i32 %lane.296
  %t.304 = load i32, ptr %t.303
  %t.305 = zext i32 %lane.296 to i64
  %index.306 = add i64 %local_x.270, %t.305
  %place.307 = getelementptr inbounds i32, ptr %buffer1, i64 %index.306
  %t.308 = atomicrmw add ptr %place.307, i32 %t.304 monotonic
  br label %lane_next.294
lane_next.294:
  %lane.296.next = add nsw i32 %lane.296, 1
  br label %lane_head.292
lane_end.295:
  br label %endlanes.288
endlanes.288:
  br label %local_x_next.268
local_x_next.268:
  %local_x.270.next = add nsw i64 %local_x.270, 8
  br label %local_x_head.266
local_x_end.269:
  br label %workgroup_next.3
workgroup_next.3:
  %workgroup.5.next = add nsw i64 %workgroup.5, 1
  br label %workgroup_head.1
workgroup_end.4:
  ret void
}

declare <8 x i32> @llvm.masked.load.v8i32.p0(ptr, i32, <8 x i1>, <8 x i32>)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
