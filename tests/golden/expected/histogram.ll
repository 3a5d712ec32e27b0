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
  %lanes.96 = alloca <8 x i32>, align 64
  %lanes.145 = alloca <8 x i32>, align 64
  %lanes.178 = alloca <8 x i32>, align 64
  %lanes.212 = alloca <8 x i32>, align 64
  %results.213 = alloca <8 x i32>, align 64
  %lanes.269 = alloca <8 x i32>, align 64
  %lanes.344 = alloca <8 x i32>, align 64
  %lanes.413 = alloca <8 x i32>, align 64
  %lanes.464 = alloca <8 x i32>, align 64
  %lanes.482 = alloca <8 x i32>, align 64
  %results.483 = alloca <8 x i32>, align 64
  %lanes.510 = alloca <8 x i32>, align 64
  %results.533 = alloca <8 x i32>, align 64
  %lanes.553 = alloca <8 x i32>, align 64
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
  %t.39 = zext i32 0 to i64
  %index.40 = add i64 %local_x.26, %t.39
  %place.41 = getelementptr inbounds i32, ptr %scratch0, i64 %index.40
  store atomic i32 0, ptr %place.41 monotonic, align 4
  %t.42 = zext i32 1 to i64
  %index.43 = add i64 %local_x.26, %t.42
  %place.44 = getelementptr inbounds i32, ptr %scratch0, i64 %index.43
  store atomic i32 0, ptr %place.44 monotonic, align 4
  %t.45 = zext i32 2 to i64
  %index.46 = add i64 %local_x.26, %t.45
  %place.47 = getelementptr inbounds i32, ptr %scratch0, i64 %index.46
  store atomic i32 0, ptr %place.47 monotonic, align 4
  %t.48 = zext i32 3 to i64
  %index.49 = add i64 %local_x.26, %t.48
  %place.50 = getelementptr inbounds i32, ptr %scratch0, i64 %index.49
  store atomic i32 0, ptr %place.50 monotonic, align 4
  %t.51 = zext i32 4 to i64
  %index.52 = add i64 %local_x.26, %t.51
  %place.53 = getelementptr inbounds i32, ptr %scratch0, i64 %index.52
  store atomic i32 0, ptr %place.53 monotonic, align 4
  %t.54 = zext i32 5 to i64
  %index.55 = add i64 %local_x.26, %t.54
  %place.56 = getelementptr inbounds i32, ptr %scratch0, i64 %index.55
  store atomic i32 0, ptr %place.56 monotonic, align 4
  %t.57 = zext i32 6 to i64
  %index.58 = add i64 %local_x.26, %t.57
  %place.59 = getelementptr inbounds i32, ptr %scratch0, i64 %index.58
  store atomic i32 0, ptr %place.59 monotonic, align 4
  %t.60 = zext i32 7 to i64
  %index.61 = add i64 %local_x.26, %t.60
  %place.62 = getelementptr inbounds i32, ptr %scratch0, i64 %index.61
  store atomic i32 0, ptr %place.62 monotonic, align 4
  br label %local_x_next.24
local_x_next.24:
  %local_x.26.next = add nsw i64 %local_x.26, 8
  br label %local_x_head.22
local_x_end.25:
  ; barrier: every invocation has run the region above
  %t.63 = mul nsw i32 %workgroup_id.19, 256
  %t.64 = add nsw i32 0, %t.63
  %t.65 = sext i32 %t.64 to i64
  %t.66 = sext i32 %param0 to i64
  %room.67 = sub nsw i64 %t.66, %t.65
  %t.68 = call i64 @llvm.smin.i64(i64 %room.67, i64 256)
  %count.69 = call i64 @llvm.smax.i64(i64 %t.68, i64 0)
  %t.70 = and i64 %count.69, -8
  %t.71 = sub nsw i64 %count.69, %t.70
  br label %local_x_head.72
local_x_head.72:
  %local_x.76 = phi i64 [ 0, %local_x_end.25 ], [ %local_x.76.next, %local_x_next.74 ]
  %t.77 = icmp slt i64 %local_x.76, %t.70
  br i1 %t.77, label %local_x_body.73, label %local_x_end.75
local_x_body.73:
  %t.78 = mul nsw i32 %workgroup_id.19, 256
  %local_id.79 = trunc i64 %local_x.76 to i32
  %t.80 = insertelement <8 x i32> poison, i32 %local_id.79, i32 0
  %t.81 = shufflevector <8 x i32> %t.80, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.82 = add nsw <8 x i32> %t.81, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.83 = insertelement <8 x i32> poison, i32 %t.78, i32 0
  %t.84 = shufflevector <8 x i32> %t.83, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.85 = add nsw <8 x i32> %t.84, %t.82
  %t.86 = sext i32 %workgroup_id.19 to i64
  %index.87 = mul i64 %t.86, 256
  %index.88 = add i64 %index.87, %local_x.76
  %t.89 = sext i32 %workgroup_id.19 to i64
  %index.90 = mul i64 %t.89, 256
  %index.91 = add i64 %index.90, %local_x.76
  %place.92 = getelementptr inbounds i32, ptr %buffer0, i64 %index.91
  %values.93 = load <8 x i32>, ptr %place.92, align 4
  %t.94 = and <8 x i32> %values.93, <i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255>
  %t.95 = and <8 x i32> %values.93, <i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255>
  store <8 x i32> %t.94, ptr %lanes.96
  %t.97 = getelementptr inbounds i32, ptr %lanes.96, i32 0
  %t.98 = load i32, ptr %t.97
  %t.99 = sext i32 %t.98 to i64
  %place.100 = getelementptr inbounds i32, ptr %scratch0, i64 %t.99
  %t.101 = load i32, ptr %place.100, align 4
  %t.102 = add i32 %t.101, 1
  store i32 %t.102, ptr %place.100, align 4
  %t.103 = getelementptr inbounds i32, ptr %lanes.96, i32 1
  %t.104 = load i32, ptr %t.103
  %t.105 = sext i32 %t.104 to i64
  %place.106 = getelementptr inbounds i32, ptr %scratch0, i64 %t.105
  %t.107 = load i32, ptr %place.106, align 4
  %t.108 = add i32 %t.107, 1
  store i32 %t.108, ptr %place.106, align 4
  %t.109 = getelementptr inbounds i32, ptr %lanes.96, i32 2
  %t.110 = load i32, ptr %t.109
  %t.111 = sext i32 %t.110 to i64
  %place.112 = getelementptr inbounds i32, ptr %scratch0, i64 %t.111
  %t.113 = load i32, ptr %place.112, align 4
  %t.114 = add i32 %t.113, 1
  store i32 %t.114, ptr %place.112, align 4
  %t.115 = getelementptr inbounds i32, ptr %lanes.96, i32 3
  %t.116 = load i32, ptr %t.115
  %t.117 = sext i32 %t.116 to i64
  %place.118 = getelementptr inbounds i32, ptr %scratch0, i64 %t.117
  %t.119 = load i32, ptr %place.118, align 4
  %t.120 = add i32 %t.119, 1
  store i32 %t.120, ptr %place.118, align 4
  %t.121 = getelementptr inbounds i32, ptr %lanes.96, i32 4
  %t.122 = load i32, ptr %t.121
  %t.123 = sext i32 %t.122 to i64
  %place.124 = getelementptr inbounds i32, ptr %scratch0, i64 %t.123
  %t.125 = load i32, ptr %place.124, align 4
  %t.126 = add i32 %t.125, 1
  store i32 %t.126, ptr %place.124, align 4
  %t.127 = getelementptr inbounds i32, ptr %lanes.96, i32 5
  %t.128 = load i32, ptr %t.127
  %t.129 = sext i32 %t.128 to i64
  %place.130 = getelementptr inbounds i32, ptr %scratch0, i64 %t.129
  %t.131 = load i32, ptr %place.130, align 4
  %t.132 = add i32 %t.131, 1
  store i32 %t.132, ptr %place.130, align 4
  %t.133 = getelementptr inbounds i32, ptr %lanes.96, i32 6
  %t.134 = load i32, ptr %t.133
  %t.135 = sext i32 %t.134 to i64
  %place.136 = getelementptr inbounds i32, ptr %scratch0, i64 %t.135
  %t.137 = load i32, ptr %place.136, align 4
  %t.138 = add i32 %t.137, 1
  store i32 %t.138, ptr %place.136, align 4
  %t.139 = getelementptr inbounds i32, ptr %lanes.96, i32 7
  %t.140 = load i32, ptr %t.139
  %t.141 = sext i32 %t.140 to i64
  %place.142 = getelementptr inbounds i32, ptr %scratch0, i64 %t.141
  %t.143 = load i32, ptr %place.142, align 4
  %t.144 = add i32 %t.143, 1
  store i32 %t.144, ptr %place.142, align 4
  store <8 x i32> %t.94, ptr %lanes.145
  %t.146 = getelementptr inbounds i32, ptr %lanes.145, i32 0
  %t.147 = load i32, ptr %t.146
  %place.148 = getelementptr inbounds i32, ptr %buffer2, i64 0
  %t.149 = atomicrmw min ptr %place.148, i32 %t.147 monotonic
  %t.150 = getelementptr inbounds i32, ptr %lanes.145, i32 1
  %t.151 = load i32, ptr %t.150
  %place.152 = getelementptr inbounds i32, ptr %buffer2, i64 0
  %t.153 = atomicrmw min ptr %place.152, i32 %t.151 monotonic
  %t.154 = getelementptr inbounds i32, ptr %lanes.145, i32 2
  %t.155 = load i32, ptr %t.154
  %place.156 = getelementptr inbounds i32, ptr %buffer2, i64 0
  %t.157 = atomicrmw min ptr %place.156, i32 %t.155 monotonic
  %t.158 = getelementptr inbounds i32, ptr %lanes.145, i32 3
  %t.159 = load i32, ptr %t.158
  %place.160 = getelementptr inbounds i32, ptr %buffer2, i64 0
  %t.161 = atomicrmw min ptr %place.160, i32 %t.159 monotonic
  %t.162 = getelementptr inbounds i32, ptr %lanes.145, i32 4
  %t.163 = load i32, ptr %t.162
  %place.164 = getelementptr inbounds i32, ptr %buffer2, i64 0
  %t.165 = atomicrmw min ptr %place.164, i32 %t.163 monotonic
  %t.166 = getelementptr inbounds i32, ptr %lanes.145, i32 5
  %t.167 = load i32, ptr %t.166
  %place.168 = getelementptr inbounds i32, ptr %buffer2, i64 0
  %t.169 = atomicrmw min ptr %place.168, i32 %t.167 monotonic
  %t.170 = getelementptr inbounds i32, ptr %lanes.145, i32 6
  %t.171 = load i32, ptr %t.170
  %place.172 = getelementptr inbounds i32, ptr %buffer2, i64 0
  %t.173 = atomicrmw min ptr %place.172, i32 %t.171 monotonic
  %t.174 = getelementptr inbounds i32, ptr %lanes.145, i32 7
  %t.175 = load i32, ptr %t.174
  %place.176 = getelementptr inbounds i32, ptr %buffer2, i64 0
  %t.177 = atomicrmw min ptr %place.176, i32 %t.175 monotonic
  store <8 x i32> %t.94, ptr %lanes.178
  %t.179 = getelementptr inbounds i32, ptr %lanes.178, i32 0
  %t.180 = load i32, ptr %t.179
  %place.181 = getelementptr inbounds i32, ptr %buffer2, i64 1
  %t.182 = atomicrmw max ptr %place.181, i32 %t.180 monotonic
  %t.183 = getelementptr inbounds i32, ptr %lanes.178, i32 1
  %t.184 = load i32, ptr %t.183
  %place.185 = getelementptr inbounds i32, ptr %buffer2, i64 1
  %t.186 = atomicrmw max ptr %place.185, i32 %t.184 monotonic
  %t.187 = getelementptr inbounds i32, ptr %lanes.178, i32 2
  %t.188 = load i32, ptr %t.187
  %place.189 = getelementptr inbounds i32, ptr %buffer2, i64 1
  %t.190 = atomicrmw max ptr %place.189, i32 %t.188 monotonic
  %t.191 = getelementptr inbounds i32, ptr %lanes.178, i32 3
  %t.192 = load i32, ptr %t.191
  %place.193 = getelementptr inbounds i32, ptr %buffer2, i64 1
  %t.194 = atomicrmw max ptr %place.193, i32 %t.192 monotonic
  %t.195 = getelementptr inbounds i32, ptr %lanes.178, i32 4
  %t.196 = load i32, ptr %t.195
  %place.197 = getelementptr inbounds i32, ptr %buffer2, i64 1
  %t.198 = atomicrmw max ptr %place.197, i32 %t.196 monotonic
  %t.199 = getelementptr inbounds i32, ptr %lanes.178, i32 5
  %t.200 = load i32, ptr %t.199
  %place.201 = getelementptr inbounds i32, ptr %buffer2, i64 1
  %t.202 = atomicrmw max ptr %place.201, i32 %t.200 monotonic
  %t.203 = getelementptr inbounds i32, ptr %lanes.178, i32 6
  %t.204 = load i32, ptr %t.203
  %place.205 = getelementptr inbounds i32, ptr %buffer2, i64 1
  %t.206 = atomicrmw max ptr %place.205, i32 %t.204 monotonic
  %t.207 = getelementptr inbounds i32, ptr %lanes.178, i32 7
  %t.208 = load i32, ptr %t.207
  %place.209 = getelementptr inbounds i32, ptr %buffer2, i64 1
  %t.210 = atomicrmw max ptr %place.209, i32 %t.208 monotonic
  %t.211 = add nsw <8 x i32> %t.94, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  store <8 x i32> %t.211, ptr %lanes.212
  store <8 x i32> zeroinitializer, ptr %results.213
  %t.214 = getelementptr inbounds i32, ptr %lanes.212, i32 0
  %t.215 = load i32, ptr %t.214
  %place.216 = getelementptr inbounds i32, ptr %buffer2, i64 2
  %t.217 = cmpxchg ptr %place.216, i32 0, i32 %t.215 monotonic monotonic
  %t.218 = extractvalue { i32, i1 } %t.217, 0
  %t.219 = getelementptr inbounds i32, ptr %results.213, i32 0
  store i32 %t.218, ptr %t.219
  %t.220 = getelementptr inbounds i32, ptr %lanes.212, i32 1
  %t.221 = load i32, ptr %t.220
  %place.222 = getelementptr inbounds i32, ptr %buffer2, i64 2
  %t.223 = cmpxchg ptr %place.222, i32 0, i32 %t.221 monotonic monotonic
  %t.224 = extractvalue { i32, i1 } %t.223, 0
  %t.225 = getelementptr inbounds i32, ptr %results.213, i32 1
  store i32 %t.224, ptr %t.225
  %t.226 = getelementptr inbounds i32, ptr %lanes.212, i32 2
  %t.227 = load i32, ptr %t.226
  %place.228 = getelementptr inbounds i32, ptr %buffer2, i64 2
  %t.229 = cmpxchg ptr %place.228, i32 0, i32 %t.227 monotonic monotonic
  %t.230 = extractvalue { i32, i1 } %t.229, 0
  %t.231 = getelementptr inbounds i32, ptr %results.213, i32 2
  store i32 %t.230, ptr %t.231
  %t.232 = getelementptr inbounds i32, ptr %lanes.212, i32 3
  %t.233 = load i32, ptr %t.232
  %place.234 = getelementptr inbounds i32, ptr %buffer2, i64 2
  %t.235 = cmpxchg ptr %place.234, i32 0, i32 %t.233 monotonic monotonic
  %t.236 = extractvalue { i32, i1 } %t.235, 0
  %t.237 = getelementptr inbounds i32, ptr %results.213, i32 3
  store i32 %t.236, ptr %t.237
  %t.238 = getelementptr inbounds i32, ptr %lanes.212, i32 4
  %t.239 = load i32, ptr %t.238
  %place.240 = getelementptr inbounds i32, ptr %buffer2, i64 2
  %t.241 = cmpxchg ptr %place.240, i32 0, i32 %t.239 monotonic monotonic
  %t.242 = extractvalue { i32, i1 } %t.241, 0
  %t.243 = getelementptr inbounds i32, ptr %results.213, i32 4
  store i32 %t.242, ptr %t.243
  %t.244 = getelementptr inbounds i32, ptr %lanes.212, i32 5
  %t.245 = load i32, ptr %t.244
  %place.246 = getelementptr inbounds i32, ptr %buffer2, i64 2
  %t.247 = cmpxchg ptr %place.246, i32 0, i32 %t.245 monotonic monotonic
  %t.248 = extractvalue { i32, i1 } %t.247, 0
  %t.249 = getelementptr inbounds i32, ptr %results.213, i32 5
  store i32 %t.248, ptr %t.249
  %t.250 = getelementptr inbounds i32, ptr %lanes.212, i32 6
  %t.251 = load i32, ptr %t.250
  %place.252 = getelementptr inbounds i32, ptr %buffer2, i64 2
  %t.253 = cmpxchg ptr %place.252, i32 0, i32 %t.251 monotonic monotonic
  %t.254 = extractvalue { i32, i1 } %t.253, 0
  %t.255 = getelementptr inbounds i32, ptr %results.213, i32 6
  store i32 %t.254, ptr %t.255
  %t.256 = getelementptr inbounds i32, ptr %lanes.212, i32 7
  %t.257 = load i32, ptr %t.256
  %place.258 = getelementptr inbounds i32, ptr %buffer2, i64 2
  %t.259 = cmpxchg ptr %place.258, i32 0, i32 %t.257 monotonic monotonic
  %t.260 = extractvalue { i32, i1 } %t.259, 0
  %t.261 = getelementptr inbounds i32, ptr %results.213, i32 7
  store i32 %t.260, ptr %t.261
  %before.262 = load <8 x i32>, ptr %results.213
  %t.263 = icmp eq <8 x i32> %before.262, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.267 = bitcast <8 x i1> %t.263 to i8
  %t.268 = icmp ne i8 %t.267, 0
  br i1 %t.268, label %lanes.265, label %endlanes.266
lanes.265:
  store <8 x i32> %t.85, ptr %lanes.269
  %t.270 = bitcast <8 x i1> %t.263 to i8
  %t.274 = icmp eq i8 %t.270, -1
  br i1 %t.274, label %every_lane.273, label %some_lanes.272
every_lane.273:
  %t.275 = getelementptr inbounds i32, ptr %lanes.269, i32 0
  %t.276 = load i32, ptr %t.275
  %place.277 = getelementptr inbounds i32, ptr %buffer2, i64 3
  %t.278 = atomicrmw xchg ptr %place.277, i32 %t.276 monotonic
  %t.279 = getelementptr inbounds i32, ptr %lanes.269, i32 1
  %t.280 = load i32, ptr %t.279
  %place.281 = getelementptr inbounds i32, ptr %buffer2, i64 3
  %t.282 = atomicrmw xchg ptr %place.281, i32 %t.280 monotonic
  %t.283 = getelementptr inbounds i32, ptr %lanes.269, i32 2
  %t.284 = load i32, ptr %t.283
  %place.285 = getelementptr inbounds i32, ptr %buffer2, i64 3
  %t.286 = atomicrmw xchg ptr %place.285, i32 %t.284 monotonic
  %t.287 = getelementptr inbounds i32, ptr %lanes.269, i32 3
  %t.288 = load i32, ptr %t.287
  %place.289 = getelementptr inbounds i32, ptr %buffer2, i64 3
  %t.290 = atomicrmw xchg ptr %place.289, i32 %t.288 monotonic
  %t.291 = getelementptr inbounds i32, ptr %lanes.269, i32 4
  %t.292 = load i32, ptr %t.291
  %place.293 = getelementptr inbounds i32, ptr %buffer2, i64 3
  %t.294 = atomicrmw xchg ptr %place.293, i32 %t.292 monotonic
  %t.295 = getelementptr inbounds i32, ptr %lanes.269, i32 5
  %t.296 = load i32, ptr %t.295
  %place.297 = getelementptr inbounds i32, ptr %buffer2, i64 3
  %t.298 = atomicrmw xchg ptr %place.297, i32 %t.296 monotonic
  %t.299 = getelementptr inbounds i32, ptr %lanes.269, i32 6
  %t.300 = load i32, ptr %t.299
  %place.301 = getelementptr inbounds i32, ptr %buffer2, i64 3
  %t.302 = atomicrmw xchg ptr %place.301, i32 %t.300 monotonic
  %t.303 = getelementptr inbounds i32, ptr %lanes.269, i32 7
  %t.304 = load i32, ptr %t.303
  %place.305 = getelementptr inbounds i32, ptr %buffer2, i64 3
  %t.306 = atomicrmw xchg ptr %place.305, i32 %t.304 monotonic
  br label %end_lanes.271
some_lanes.272:
  br label %lane_head.307
lane_head.307:
  %left.309 = phi i8 [ %t.270, %some_lanes.272 ], [ %rest.310, %lane_next.311 ]
  %t.312 = icmp ne i8 %left.309, 0
  br i1 %t.312, label %lane_on.308, label %end_lanes.271
lane_on.308:
  %lane.313 = call i8 @llvm.cttz.i8(i8 %left.309, i1 true)
  %lane.314 = zext i8 %lane.313 to i32
  %t.315 = getelementptr inbounds i32, ptr %lanes.269, i32 %lane.314
  %t.316 = load i32, ptr %t.315
  %place.317 = getelementptr inbounds i32, ptr %buffer2, i64 3
  %t.318 = atomicrmw xchg ptr %place.317, i32 %t.316 monotonic
  br label %lane_next.311
lane_next.311:
  %t.319 = sub i8 %left.309, 1
  %rest.310 = and i8 %left.309, %t.319
  br label %lane_head.307
end_lanes.271:
  br label %endlanes.266
endlanes.266:
  br label %local_x_next.74
local_x_next.74:
  %local_x.76.next = add nsw i64 %local_x.76, 8
  br label %local_x_head.72
local_x_end.75:
  %t.322 = icmp sgt i64 %t.71, 0
  br i1 %t.322, label %last_gang.321, label %row_end.320
last_gang.321:
  %t.323 = insertelement <8 x i64> poison, i64 %t.71, i32 0
  %t.324 = shufflevector <8 x i64> %t.323, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask.325 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %t.324
  %t.326 = mul nsw i32 %workgroup_id.19, 256
  %local_id.327 = trunc i64 %t.70 to i32
  %t.328 = insertelement <8 x i32> poison, i32 %local_id.327, i32 0
  %t.329 = shufflevector <8 x i32> %t.328, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.330 = add nsw <8 x i32> %t.329, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.331 = insertelement <8 x i32> poison, i32 %t.326, i32 0
  %t.332 = shufflevector <8 x i32> %t.331, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.333 = add nsw <8 x i32> %t.332, %t.330
  %t.334 = sext i32 %workgroup_id.19 to i64
  %index.335 = mul i64 %t.334, 256
  %index.336 = add i64 %index.335, %t.70
  %t.337 = sext i32 %workgroup_id.19 to i64
  %index.338 = mul i64 %t.337, 256
  %index.339 = add i64 %index.338, %t.70
  %place.340 = getelementptr i32, ptr %buffer0, i64 %index.339
  %values.341 = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %place.340, i32 4, <8 x i1> %mask.325, <8 x i32> poison)
  %t.342 = and <8 x i32> %values.341, <i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255>
  %t.343 = and <8 x i32> %values.341, <i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255>
  store <8 x i32> %t.342, ptr %lanes.344
  %t.345 = bitcast <8 x i1> %mask.325 to i8
  %t.349 = icmp eq i8 %t.345, -1
  br i1 %t.349, label %every_lane.348, label %some_lanes.347
every_lane.348:
  %t.350 = getelementptr inbounds i32, ptr %lanes.344, i32 0
  %t.351 = load i32, ptr %t.350
  %t.352 = sext i32 %t.351 to i64
  %place.353 = getelementptr inbounds i32, ptr %scratch0, i64 %t.352
  %t.354 = load i32, ptr %place.353, align 4
  %t.355 = add i32 %t.354, 1
  store i32 %t.355, ptr %place.353, align 4
  %t.356 = getelementptr inbounds i32, ptr %lanes.344, i32 1
  %t.357 = load i32, ptr %t.356
  %t.358 = sext i32 %t.357 to i64
  %place.359 = getelementptr inbounds i32, ptr %scratch0, i64 %t.358
  %t.360 = load i32, ptr %place.359, align 4
  %t.361 = add i32 %t.360, 1
  store i32 %t.361, ptr %place.359, align 4
  %t.362 = getelementptr inbounds i32, ptr %lanes.344, i32 2
  %t.363 = load i32, ptr %t.362
  %t.364 = sext i32 %t.363 to i64
  %place.365 = getelementptr inbounds i32, ptr %scratch0, i64 %t.364
  %t.366 = load i32, ptr %place.365, align 4
  %t.367 = add i32 %t.366, 1
  store i32 %t.367, ptr %place.365, align 4
  %t.368 = getelementptr inbounds i32, ptr %lanes.344, i32 3
  %t.369 = load i32, ptr %t.368
  %t.370 = sext i32 %t.369 to i64
  %place.371 = getelementptr inbounds i32, ptr %scratch0, i64 %t.370
  %t.372 = load i32, ptr %place.371, align 4
  %t.373 = add i32 %t.372, 1
  store i32 %t.373, ptr %place.371, align 4
  %t.374 = getelementptr inbounds i32, ptr %lanes.344, i32 4
  %t.375 = load i32, ptr %t.374
  %t.376 = sext i32 %t.375 to i64
  %place.377 = getelementptr inbounds i32, ptr %scratch0, i64 %t.376
  %t.378 = load i32, ptr %place.377, align 4
  %t.379 = add i32 %t.378, 1
  store i32 %t.379, ptr %place.377, align 4
  %t.380 = getelementptr inbounds i32, ptr %lanes.344, i32 5
  %t.381 = load i32, ptr %t.380
  %t.382 = sext i32 %t.381 to i64
  %place.383 = getelementptr inbounds i32, ptr %scratch0, i64 %t.382
  %t.384 = load i32, ptr %place.383, align 4
  %t.385 = add i32 %t.384, 1
  store i32 %t.385, ptr %place.383, align 4
  %t.386 = getelementptr inbounds i32, ptr %lanes.344, i32 6
  %t.387 = load i32, ptr %t.386
  %t.388 = sext i32 %t.387 to i64
  %place.389 = getelementptr inbounds i32, ptr %scratch0, i64 %t.388
  %t.390 = load i32, ptr %place.389, align 4
  %t.391 = add i32 %t.390, 1
  store i32 %t.391, ptr %place.389, align 4
  %t.392 = getelementptr inbounds i32, ptr %lanes.344, i32 7
  %t.393 = load i32, ptr %t.392
  %t.394 = sext i32 %t.393 to i64
  %place.395 = getelementptr inbounds i32, ptr %scratch0, i64 %t.394
  %t.396 = load i32, ptr %place.395, align 4
  %t.397 = add i32 %t.396, 1
  store i32 %t.397, ptr %place.395, align 4
  br label %end_lanes.346
some_lanes.347:
  br label %lane_head.398
lane_head.398:
  %left.400 = phi i8 [ %t.345, %some_lanes.347 ], [ %rest.401, %lane_next.402 ]
  %t.403 = icmp ne i8 %left.400, 0
  br i1 %t.403, label %lane_on.399, label %end_lanes.346
lane_on.399:
  %lane.404 = call i8 @llvm.cttz.i8(i8 %left.400, i1 true)
  %lane.405 = zext i8 %lane.404 to i32
  %t.406 = getelementptr inbounds i32, ptr %lanes.344, i32 %lane.405
  %t.407 = load i32, ptr %t.406
  %t.408 = sext i32 %t.407 to i64
  %place.409 = getelementptr inbounds i32, ptr %scratch0, i64 %t.408
  %t.410 = load i32, ptr %place.409, align 4
  %t.411 = add i32 %t.410, 1
  store i32 %t.411, ptr %place.409, align 4
  br label %lane_next.402
lane_next.402:
  %t.412 = sub i8 %left.400, 1
  %rest.401 = and i8 %left.400, %t.412
  br label %lane_head.398
end_lanes.346:
  store <8 x i32> %t.342, ptr %lanes.413
  %t.414 = bitcast <8 x i1> %mask.325 to i8
  %t.418 = icmp eq i8 %t.414, -1
  br i1 %t.418, label %every_lane.417, label %some_lanes.416
every_lane.417:
  %t.419 = getelementptr inbounds i32, ptr %lanes.413, i32 0
  %t.420 = load i32, ptr %t.419
  %place.421 = getelementptr inbounds i32, ptr %buffer2, i64 0
  %t.422 = atomicrmw min ptr %place.421, i32 %t.420 monotonic
  %t.423 = getelementptr inbounds i32, ptr %lanes.413, i32 1
  %t.424 = load i32, ptr %t.423
  %place.425 = getelementptr inbounds i32, ptr %buffer2, i64 0
  %t.426 = atomicrmw min ptr %place.425, i32 %t.424 monotonic
  %t.427 = getelementptr inbounds i32, ptr %lanes.413, i32 2
  %t.428 = load i32, ptr %t.427
  %place.429 = getelementptr inbounds i32, ptr %buffer2, i64 0
  %t.430 = atomicrmw min ptr %place.429, i32 %t.428 monotonic
  %t.431 = getelementptr inbounds i32, ptr %lanes.413, i32 3
  %t.432 = load i32, ptr %t.431
  %place.433 = getelementptr inbounds i32, ptr %buffer2, i64 0
  %t.434 = atomicrmw min ptr %place.433, i32 %t.432 monotonic
  %t.435 = getelementptr inbounds i32, ptr %lanes.413, i32 4
  %t.436 = load i32, ptr %t.435
  %place.437 = getelementptr inbounds i32, ptr %buffer2, i64 0
  %t.438 = atomicrmw min ptr %place.437, i32 %t.436 monotonic
  %t.439 = getelementptr inbounds i32, ptr %lanes.413, i32 5
  %t.440 = load i32, ptr %t.439
  %place.441 = getelementptr inbounds i32, ptr %buffer2, i64 0
  %t.442 = atomicrmw min ptr %place.441, i32 %t.440 monotonic
  %t.443 = getelementptr inbounds i32, ptr %lanes.413, i32 6
  %t.444 = load i32, ptr %t.443
  %place.445 = getelementptr inbounds i32, ptr %buffer2, i64 0
  %t.446 = atomicrmw min ptr %place.445, i32 %t.444 monotonic
  %t.447 = getelementptr inbounds i32, ptr %lanes.413, i32 7
  %t.448 = load i32, ptr %t.447
  %place.449 = getelementptr inbounds i32, ptr %buffer2, i64 0
  %t.450 = atomicrmw min ptr %place.449, i32 %t.448 monotonic
  br label %end_lanes.415
some_lanes.416:
  br label %lane_head.451
lane_head.451:
  %left.453 = phi i8 [ %t.414, %some_lanes.416 ], [ %rest.454, %lane_next.455 ]
  %t.456 = icmp ne i8 %left.453, 0
  br i1 %t.456, label %lane_on.452, label %end_lanes.415
lane_on.452:
  %lane.457 = call i8 @llvm.cttz.i8(i8 %left.453, i1 true)
  %lane.458 = zext i8 %lane.457 to i32
  %t.459 = getelementptr inbounds i32, ptr %lanes.413, i32 %lane.458
  %t.460 = load i32, ptr %t.459
  %place.461 = getelementptr inbounds i32, ptr %buffer2, i64 0
  %t.462 = atomicrmw min ptr %place.461, i32 %t.460 monotonic
  br label %lane_next.455
lane_next.455:
  %t.463 = sub i8 %left.453, 1
  %rest.454 = and i8 %left.453, %t.463
  br label %lane_head.451
end_lanes.415:
  store <8 x i32> %t.342, ptr %lanes.464
  %t.465 = bitcast <8 x i1> %mask.325 to i8
  br label %some_lanes.467
some_lanes.467:
  br label %lane_head.468
lane_head.468:
  %left.470 = phi i8 [ %t.465, %some_lanes.467 ], [ %rest.471, %lane_next.472 ]
  %t.473 = icmp ne i8 %left.470, 0
  br i1 %t.473, label %lane_on.469, label %end_lanes.466
lane_on.469:
  %lane.474 = call i8 @llvm.cttz.i8(i8 %left.470, i1 true)
  %lane.475 = zext i8 %lane.474 to i32
  %t.476 = getelementptr inbounds i32, ptr %lanes.464, i32 %lane.475
  %t.477 = load i32, ptr %t.476
  %place.478 = getelementptr inbounds i32, ptr %buffer2, i64 1
  %t.479 = atomicrmw max ptr %place.478, i32 %t.477 monotonic
  br label %lane_next.472
lane_next.472:
  %t.480 = sub i8 %left.470, 1
  %rest.471 = and i8 %left.470, %t.480
  br label %lane_head.468
end_lanes.466:
  %t.481 = add nsw <8 x i32> %t.342, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  store <8 x i32> %t.481, ptr %lanes.482
  store <8 x i32> zeroinitializer, ptr %results.483
  %t.484 = bitcast <8 x i1> %mask.325 to i8
  br label %some_lanes.486
some_lanes.486:
  br label %lane_head.487
lane_head.487:
  %left.489 = phi i8 [ %t.484, %some_lanes.486 ], [ %rest.490, %lane_next.491 ]
  %t.492 = icmp ne i8 %left.489, 0
  br i1 %t.492, label %lane_on.488, label %end_lanes.485
lane_on.488:
  %lane.493 = call i8 @llvm.cttz.i8(i8 %left.489, i1 true)
  %lane.494 = zext i8 %lane.493 to i32
  %t.495 = getelementptr inbounds i32, ptr %lanes.482, i32 %lane.494
  %t.496 = load i32, ptr %t.495
  %place.497 = getelementptr inbounds i32, ptr %buffer2, i64 2
  %t.498 = cmpxchg ptr %place.497, i32 0, i32 %t.496 monotonic monotonic
  %t.499 = extractvalue { i32, i1 } %t.498, 0
  %t.500 = getelementptr inbounds i32, ptr %results.483, i32 %lane.494
  store i32 %t.499, ptr %t.500
  br label %lane_next.491
lane_next.491:
  %t.501 = sub i8 %left.489, 1
  %rest.490 = and i8 %left.489, %t.501
  br label %lane_head.487
end_lanes.485:
  %before.502 = load <8 x i32>, ptr %results.483
  %t.503 = icmp eq <8 x i32> %before.502, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.505 = select <8 x i1> %mask.325, <8 x i1> %t.503, <8 x i1> zeroinitializer
  %t.508 = bitcast <8 x i1> %t.505 to i8
  %t.509 = icmp ne i8 %t.508, 0
  br i1 %t.509, label %lanes.506, label %endlanes.507
lanes.506:
  store <8 x i32> %t.333, ptr %lanes.510
  %t.511 = bitcast <8 x i1> %t.505 to i8
  br label %some_lanes.513
some_lanes.513:
  br label %lane_head.514
lane_head.514:
  %left.516 = phi i8 [ %t.511, %some_lanes.513 ], [ %rest.517, %lane_next.518 ]
  %t.519 = icmp ne i8 %left.516, 0
  br i1 %t.519, label %lane_on.515, label %end_lanes.512
lane_on.515:
  %lane.520 = call i8 @llvm.cttz.i8(i8 %left.516, i1 true)
  %lane.521 = zext i8 %lane.520 to i32
  %t.522 = getelementptr inbounds i32, ptr %lanes.510, i32 %lane.521
  %t.523 = load i32, ptr %t.522
  %place.524 = getelementptr inbounds i32, ptr %buffer2, i64 3
  %t.525 = atomicrmw xchg ptr %place.524, i32 %t.523 monotonic
  br label %lane_next.518
lane_next.518:
  %t.526 = sub i8 %left.516, 1
  %rest.517 = and i8 %left.516, %t.526
  br label %lane_head.514
end_lanes.512:
  br label %endlanes.507
endlanes.507:
  br label %row_end.320
row_end.320:
  ; barrier: every invocation has run the region above
  br label %local_x_head.527
local_x_head.527:
  %local_x.531 = phi i64 [ 0, %row_end.320 ], [ %local_x.531.next, %local_x_next.529 ]
  %t.532 = icmp slt i64 %local_x.531, 256
  br i1 %t.532, label %local_x_body.528, label %local_x_end.530
local_x_body.528:
  store <8 x i32> zeroinitializer, ptr %results.533
  br label %lane_head.534
lane_head.534:
  %lane.538 = phi i32 [ 0, %local_x_body.528 ], [ %lane.538.next, %lane_next.536 ]
  %t.539 = icmp slt i32 %lane.538, 8
  br i1 %t.539, label %lane_body.535, label %lane_end.537
lane_body.535:
  %t.540 = add nuw i32 %lane.538, 0
  %t.541 = zext i32 %t.540 to i64
  %index.542 = add i64 %local_x.531, %t.541
  %place.543 = getelementptr inbounds i32, ptr %scratch0, i64 %index.542
  %t.544 = load i32, ptr %place.543, align 4
  %t.545 = getelementptr inbounds i32, ptr %results.533, i32 %t.540
  store i32 %t.544, ptr %t.545
  br label %lane_next.536
lane_next.536:
  %lane.538.next = add nsw i32 %lane.538, 1
  br label %lane_head.534
lane_end.537:
  %before.546 = load <8 x i32>, ptr %results.533
  %t.547 = icmp ugt <8 x i32> %before.546, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.551 = bitcast <8 x i1> %t.547 to i8
  %t.552 = icmp ne i8 %t.551, 0
  br i1 %t.552, label %lanes.549, label %endlanes.550
lanes.549:
  store <8 x i32> %before.546, ptr %lanes.553
  %t.554 = bitcast <8 x i1> %t.547 to i8
  br label %some_lanes.556
some_lanes.556:
  br label %lane_head.557
lane_head.557:
  %left.559 = phi i8 [ %t.554, %some_lanes.556 ], [ %rest.560, %lane_next.561 ]
  %t.562 = icmp ne i8 %left.559, 0
  br i1 %t.562, label %lane_on.558, label %end_lanes.555
lane_on.558:
  %lane.563 = call i8 @llvm.cttz.i8(i8 %left.559, i1 true)
  %lane.564 = zext i8 %lane.563 to i32
  %t.565 = getelementptr inbounds i32, ptr %lanes.553, i32 %lane.564
  %t.566 = load i32, ptr %t.565
  %t.567 = zext i32 %lane.564 to i64
  %index.568 = add i64 %local_x.531, %t.567
  %place.569 = getelementptr inbounds i32, ptr %buffer1, i64 %index.568
  %t.570 = atomicrmw add ptr %place.569, i32 %t.566 monotonic
  br label %lane_next.561
lane_next.561:
  %t.571 = sub i8 %left.559, 1
  %rest.560 = and i8 %left.559, %t.571
  br label %lane_head.557
end_lanes.555:
  br label %endlanes.550
endlanes.550:
  br label %local_x_next.529
local_x_next.529:
  %local_x.531.next = add nsw i64 %local_x.531, 8
  br label %local_x_head.527
local_x_end.530:
  %t.572 = zext i1 true to i32
  %t.573 = add nuw i32 %workgroup_id.19, %t.572
  %t.574 = icmp eq i32 %t.573, %gx
  %t.575 = select i1 %t.574, i32 0, i32 %t.573
  store i32 %t.575, ptr %workgroup_id.7
  %t.576 = zext i1 %t.574 to i32
  %t.577 = add nuw i32 %workgroup_id.20, %t.576
  %t.578 = icmp eq i32 %t.577, %gy
  %t.579 = select i1 %t.578, i32 0, i32 %t.577
  store i32 %t.579, ptr %workgroup_id.9
  %t.580 = zext i1 %t.578 to i32
  %t.581 = add nuw i32 %workgroup_id.21, %t.580
  %t.582 = icmp eq i32 %t.581, %gz
  %t.583 = select i1 %t.582, i32 0, i32 %t.581
  store i32 %t.583, ptr %workgroup_id.11
  br label %workgroup_next.15
workgroup_next.15:
  %workgroup.17.next = add nsw i64 %workgroup.17, 1
  br label %workgroup_head.13
workgroup_end.16:
  ret void
}

declare i8 @llvm.cttz.i8(i8, i1)
declare <8 x i32> @llvm.masked.load.v8i32.p0(ptr, i32, <8 x i1>, <8 x i32>)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
