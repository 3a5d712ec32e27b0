; kernel collatz
@gpucore_scratch_nbytes = constant i64 0

define void @gpucore_entry(ptr %buffers, ptr %scalars, ptr %scratch, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) nounwind {
entry:
  %t.1 = getelementptr ptr, ptr %buffers, i64 0
  %starts.2 = load ptr, ptr %t.1
  %t.3 = getelementptr ptr, ptr %buffers, i64 1
  %steps.4 = load ptr, ptr %t.3
  %t.5 = getelementptr i8, ptr %scalars, i64 0
  %starts_shape_0_.6 = load i32, ptr %t.5
  %t.7 = getelementptr i8, ptr %scalars, i64 4
  %limit.8 = load i32, ptr %t.7
  call void @gpucore_workgroups(ptr %starts.2, ptr %steps.4, i32 %starts_shape_0_.6, i32 %limit.8, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last)
  ret void
}

define internal void @gpucore_workgroups(ptr noalias nonnull align 64 %buffer0, ptr noalias nonnull align 64 %buffer1, i32 %param0, i32 %param1, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) noinline nounwind {
entry:
  %value.47 = alloca <8 x i32>, align 32
  %count.48 = alloca <8 x i32>, align 32
  %live.52 = alloca <8 x i1>, align 8
  %running.53 = alloca <8 x i1>, align 8
  %bonus.112 = alloca i32, align 4
  %value.157 = alloca <8 x i32>, align 32
  %count.158 = alloca <8 x i32>, align 32
  %live.162 = alloca <8 x i1>, align 8
  %running.163 = alloca <8 x i1>, align 8
  %bonus.222 = alloca i32, align 4
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
  %place.45 = getelementptr inbounds i32, ptr %buffer0, i64 %index.44
  %starts.46 = load <8 x i32>, ptr %place.45, align 4
  store <8 x i32> %starts.46, ptr %value.47
  store <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>, ptr %count.48
  store <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, ptr %live.52
  br label %loop_head.49
loop_head.49:
  %live.54 = load <8 x i1>, ptr %live.52
  store <8 x i1> %live.54, ptr %running.53
  %t.56 = bitcast <8 x i1> %live.54 to i8
  %t.57 = icmp ne i8 %t.56, 0
  br i1 %t.57, label %iteration.55, label %loop_end.51
iteration.55:
  %value.58 = load <8 x i32>, ptr %value.47
  %t.59 = icmp ule <8 x i32> %value.58, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %count.60 = load <8 x i32>, ptr %count.48
  %t.61 = insertelement <8 x i32> poison, i32 %param1, i32 0
  %t.62 = shufflevector <8 x i32> %t.61, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.63 = icmp sge <8 x i32> %count.60, %t.62
  %t.64 = or <8 x i1> %t.59, %t.63
  %t.66 = and <8 x i1> %live.54, %t.64
  %t.69 = bitcast <8 x i1> %t.66 to i8
  %t.70 = icmp ne i8 %t.69, 0
  br i1 %t.70, label %lanes.67, label %endlanes.68
lanes.67:
  %t.71 = load <8 x i1>, ptr %live.52
  %t.72 = xor <8 x i1> %t.66, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.73 = and <8 x i1> %t.71, %t.72
  store <8 x i1> %t.73, ptr %live.52
  %t.74 = load <8 x i1>, ptr %running.53
  %t.75 = xor <8 x i1> %t.66, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.76 = and <8 x i1> %t.74, %t.75
  store <8 x i1> %t.76, ptr %running.53
  br label %endlanes.68
endlanes.68:
  %running.77 = load <8 x i1>, ptr %running.53
  %t.78 = and <8 x i1> %live.54, %running.77
  %t.80 = bitcast <8 x i1> %t.78 to i8
  %t.81 = icmp ne i8 %t.80, 0
  br i1 %t.81, label %rest.79, label %loop_next.50
rest.79:
  %count.82 = load <8 x i32>, ptr %count.48
  %t.83 = add <8 x i32> %count.82, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %count.84 = load <8 x i32>, ptr %count.48
  %t.85 = select <8 x i1> %t.78, <8 x i32> %t.83, <8 x i32> %count.84
  store <8 x i32> %t.85, ptr %count.48
  %value.86 = load <8 x i32>, ptr %value.47
  %t.87 = urem <8 x i32> %value.86, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %t.88 = icmp eq <8 x i32> %t.87, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.90 = and <8 x i1> %t.78, %t.88
  %t.93 = bitcast <8 x i1> %t.90 to i8
  %t.94 = icmp ne i8 %t.93, 0
  br i1 %t.94, label %lanes.91, label %endlanes.92
lanes.91:
  %value.95 = load <8 x i32>, ptr %value.47
  %t.96 = udiv <8 x i32> %value.95, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %value.97 = load <8 x i32>, ptr %value.47
  %t.98 = select <8 x i1> %t.90, <8 x i32> %t.96, <8 x i32> %value.97
  store <8 x i32> %t.98, ptr %value.47
  %t.99 = load <8 x i1>, ptr %running.53
  %t.100 = xor <8 x i1> %t.90, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.101 = and <8 x i1> %t.99, %t.100
  store <8 x i1> %t.101, ptr %running.53
  br label %endlanes.92
endlanes.92:
  %running.102 = load <8 x i1>, ptr %running.53
  %t.103 = and <8 x i1> %t.78, %running.102
  %t.105 = bitcast <8 x i1> %t.103 to i8
  %t.106 = icmp ne i8 %t.105, 0
  br i1 %t.106, label %rest.104, label %loop_next.50
rest.104:
  %value.107 = load <8 x i32>, ptr %value.47
  %t.108 = mul <8 x i32> %value.107, <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.109 = add <8 x i32> %t.108, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %value.110 = load <8 x i32>, ptr %value.47
  %t.111 = select <8 x i1> %t.103, <8 x i32> %t.109, <8 x i32> %value.110
  store <8 x i32> %t.111, ptr %value.47
  br label %loop_next.50
loop_next.50:
  br label %loop_head.49
loop_end.51:
  store i32 0, ptr %bonus.112
  br label %trip_head.113
trip_head.113:
  %trip.117 = phi i32 [ 0, %loop_end.51 ], [ %trip.117.next, %trip_next.115 ]
  %t.118 = icmp ult i32 %trip.117, 4
  br i1 %t.118, label %trip_body.114, label %trip_end.116
trip_body.114:
  %t.119 = mul nsw i32 %trip.117, -3
  %t.120 = add nsw i32 %t.119, 10
  %t.121 = urem i32 %t.120, 2
  %t.122 = icmp eq i32 %t.121, 0
  %bonus.123 = load i32, ptr %bonus.112
  %t.124 = select i1 %t.122, i32 %t.120, i32 -1
  %t.125 = add i32 %bonus.123, %t.124
  store i32 %t.125, ptr %bonus.112
  br label %trip_next.115
trip_next.115:
  %trip.117.next = add nuw i32 %trip.117, 1
  br label %trip_head.113
trip_end.116:
  %t.126 = sext i32 %workgroup_id.13 to i64
  %index.127 = mul i64 %t.126, 64
  %index.128 = add i64 %index.127, %local_x.29
  %count.129 = load <8 x i32>, ptr %count.48
  %bonus.130 = load i32, ptr %bonus.112
  %t.131 = insertelement <8 x i32> poison, i32 %bonus.130, i32 0
  %t.132 = shufflevector <8 x i32> %t.131, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.133 = add <8 x i32> %count.129, %t.132
  %place.134 = getelementptr inbounds i32, ptr %buffer1, i64 %index.128
  store <8 x i32> %t.133, ptr %place.134, align 4
  br label %local_x_next.27
local_x_next.27:
  %local_x.29.next = add nsw i64 %local_x.29, 8
  br label %local_x_head.25
local_x_end.28:
  %t.137 = icmp sgt i64 %t.24, 0
  br i1 %t.137, label %last_gang.136, label %row_end.135
last_gang.136:
  %t.138 = insertelement <8 x i64> poison, i64 %t.24, i32 0
  %t.139 = shufflevector <8 x i64> %t.138, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask.140 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %t.139
  %t.141 = mul nsw i32 %workgroup_id.13, 64
  %local_id.142 = trunc i64 %t.23 to i32
  %t.143 = insertelement <8 x i32> poison, i32 %local_id.142, i32 0
  %t.144 = shufflevector <8 x i32> %t.143, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.145 = add nsw <8 x i32> %t.144, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.146 = insertelement <8 x i32> poison, i32 %t.141, i32 0
  %t.147 = shufflevector <8 x i32> %t.146, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.148 = add nsw <8 x i32> %t.147, %t.145
  %t.149 = sext i32 %workgroup_id.13 to i64
  %index.150 = mul i64 %t.149, 64
  %index.151 = add i64 %index.150, %t.23
  %t.152 = sext i32 %workgroup_id.13 to i64
  %index.153 = mul i64 %t.152, 64
  %index.154 = add i64 %index.153, %t.23
  %place.155 = getelementptr inbounds i32, ptr %buffer0, i64 %index.154
  %starts.156 = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %place.155, i32 4, <8 x i1> %mask.140, <8 x i32> poison)
  store <8 x i32> %starts.156, ptr %value.157
  store <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>, ptr %count.158
  store <8 x i1> %mask.140, ptr %live.162
  br label %loop_head.159
loop_head.159:
  %live.164 = load <8 x i1>, ptr %live.162
  store <8 x i1> %live.164, ptr %running.163
  %t.166 = bitcast <8 x i1> %live.164 to i8
  %t.167 = icmp ne i8 %t.166, 0
  br i1 %t.167, label %iteration.165, label %loop_end.161
iteration.165:
  %value.168 = load <8 x i32>, ptr %value.157
  %t.169 = icmp ule <8 x i32> %value.168, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %count.170 = load <8 x i32>, ptr %count.158
  %t.171 = insertelement <8 x i32> poison, i32 %param1, i32 0
  %t.172 = shufflevector <8 x i32> %t.171, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.173 = icmp sge <8 x i32> %count.170, %t.172
  %t.174 = or <8 x i1> %t.169, %t.173
  %t.176 = and <8 x i1> %live.164, %t.174
  %t.179 = bitcast <8 x i1> %t.176 to i8
  %t.180 = icmp ne i8 %t.179, 0
  br i1 %t.180, label %lanes.177, label %endlanes.178
lanes.177:
  %t.181 = load <8 x i1>, ptr %live.162
  %t.182 = xor <8 x i1> %t.176, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.183 = and <8 x i1> %t.181, %t.182
  store <8 x i1> %t.183, ptr %live.162
  %t.184 = load <8 x i1>, ptr %running.163
  %t.185 = xor <8 x i1> %t.176, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.186 = and <8 x i1> %t.184, %t.185
  store <8 x i1> %t.186, ptr %running.163
  br label %endlanes.178
endlanes.178:
  %running.187 = load <8 x i1>, ptr %running.163
  %t.188 = and <8 x i1> %live.164, %running.187
  %t.190 = bitcast <8 x i1> %t.188 to i8
  %t.191 = icmp ne i8 %t.190, 0
  br i1 %t.191, label %rest.189, label %loop_next.160
rest.189:
  %count.192 = load <8 x i32>, ptr %count.158
  %t.193 = add <8 x i32> %count.192, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %count.194 = load <8 x i32>, ptr %count.158
  %t.195 = select <8 x i1> %t.188, <8 x i32> %t.193, <8 x i32> %count.194
  store <8 x i32> %t.195, ptr %count.158
  %value.196 = load <8 x i32>, ptr %value.157
  %t.197 = urem <8 x i32> %value.196, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %t.198 = icmp eq <8 x i32> %t.197, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.200 = and <8 x i1> %t.188, %t.198
  %t.203 = bitcast <8 x i1> %t.200 to i8
  %t.204 = icmp ne i8 %t.203, 0
  br i1 %t.204, label %lanes.201, label %endlanes.202
lanes.201:
  %value.205 = load <8 x i32>, ptr %value.157
  %t.206 = udiv <8 x i32> %value.205, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %value.207 = load <8 x i32>, ptr %value.157
  %t.208 = select <8 x i1> %t.200, <8 x i32> %t.206, <8 x i32> %value.207
  store <8 x i32> %t.208, ptr %value.157
  %t.209 = load <8 x i1>, ptr %running.163
  %t.210 = xor <8 x i1> %t.200, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.211 = and <8 x i1> %t.209, %t.210
  store <8 x i1> %t.211, ptr %running.163
  br label %endlanes.202
endlanes.202:
  %running.212 = load <8 x i1>, ptr %running.163
  %t.213 = and <8 x i1> %t.188, %running.212
  %t.215 = bitcast <8 x i1> %t.213 to i8
  %t.216 = icmp ne i8 %t.215, 0
  br i1 %t.216, label %rest.214, label %loop_next.160
rest.214:
  %value.217 = load <8 x i32>, ptr %value.157
  %t.218 = mul <8 x i32> %value.217, <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.219 = add <8 x i32> %t.218, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %value.220 = load <8 x i32>, ptr %value.157
  %t.221 = select <8 x i1> %t.213, <8 x i32> %t.219, <8 x i32> %value.220
  store <8 x i32> %t.221, ptr %value.157
  br label %loop_next.160
loop_next.160:
  br label %loop_head.159
loop_end.161:
  store i32 0, ptr %bonus.222
  br label %trip_head.223
trip_head.223:
  %trip.227 = phi i32 [ 0, %loop_end.161 ], [ %trip.227.next, %trip_next.225 ]
  %t.228 = icmp ult i32 %trip.227, 4
  br i1 %t.228, label %trip_body.224, label %trip_end.226
trip_body.224:
  %t.229 = mul nsw i32 %trip.227, -3
  %t.230 = add nsw i32 %t.229, 10
  %t.231 = urem i32 %t.230, 2
  %t.232 = icmp eq i32 %t.231, 0
  %bonus.233 = load i32, ptr %bonus.222
  %t.234 = select i1 %t.232, i32 %t.230, i32 -1
  %t.235 = add i32 %bonus.233, %t.234
  store i32 %t.235, ptr %bonus.222
  br label %trip_next.225
trip_next.225:
  %trip.227.next = add nuw i32 %trip.227, 1
  br label %trip_head.223
trip_end.226:
  %t.236 = sext i32 %workgroup_id.13 to i64
  %index.237 = mul i64 %t.236, 64
  %index.238 = add i64 %index.237, %t.23
  %count.239 = load <8 x i32>, ptr %count.158
  %bonus.240 = load i32, ptr %bonus.222
  %t.241 = insertelement <8 x i32> poison, i32 %bonus.240, i32 0
  %t.242 = shufflevector <8 x i32> %t.241, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.243 = add <8 x i32> %count.239, %t.242
  %place.244 = getelementptr inbounds i32, ptr %buffer1, i64 %index.238
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %t.243, ptr %place.244, i32 4, <8 x i1> %mask.140)
  br label %row_end.135
row_end.135:
  br label %workgroup_next.3
workgroup_next.3:
  %workgroup.5.next = add nsw i64 %workgroup.5, 1
  br label %workgroup_head.1
workgroup_end.4:
  ret void
}

declare <8 x i32> @llvm.masked.load.v8i32.p0(ptr, i32, <8 x i1>, <8 x i32>)
declare void @llvm.masked.store.v8i32.p0(<8 x i32>, ptr, i32, <8 x i1>)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
