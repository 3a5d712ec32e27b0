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
  %workgroup_id.7 = alloca i32, align 4
  %workgroup_id.9 = alloca i32, align 4
  %workgroup_id.11 = alloca i32, align 4
  %value.53 = alloca <8 x i32>, align 32
  %count.54 = alloca <8 x i32>, align 32
  %live.58 = alloca <8 x i1>, align 8
  %running.59 = alloca <8 x i1>, align 8
  %bonus.118 = alloca i32, align 4
  %value.163 = alloca <8 x i32>, align 32
  %count.164 = alloca <8 x i32>, align 32
  %live.168 = alloca <8 x i1>, align 8
  %running.169 = alloca <8 x i1>, align 8
  %bonus.228 = alloca i32, align 4
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
  %place.51 = getelementptr inbounds i32, ptr %buffer0, i64 %index.50
  %starts.52 = load <8 x i32>, ptr %place.51, align 4
  store <8 x i32> %starts.52, ptr %value.53
  store <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>, ptr %count.54
  store <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, ptr %live.58
  br label %loop_head.55
loop_head.55:
  %live.60 = load <8 x i1>, ptr %live.58
  store <8 x i1> %live.60, ptr %running.59
  %t.62 = bitcast <8 x i1> %live.60 to i8
  %t.63 = icmp ne i8 %t.62, 0
  br i1 %t.63, label %iteration.61, label %loop_end.57
iteration.61:
  %value.64 = load <8 x i32>, ptr %value.53
  %t.65 = icmp ule <8 x i32> %value.64, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %count.66 = load <8 x i32>, ptr %count.54
  %t.67 = insertelement <8 x i32> poison, i32 %param1, i32 0
  %t.68 = shufflevector <8 x i32> %t.67, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.69 = icmp sge <8 x i32> %count.66, %t.68
  %t.70 = or <8 x i1> %t.65, %t.69
  %t.72 = select <8 x i1> %live.60, <8 x i1> %t.70, <8 x i1> zeroinitializer
  %t.75 = bitcast <8 x i1> %t.72 to i8
  %t.76 = icmp ne i8 %t.75, 0
  br i1 %t.76, label %lanes.73, label %endlanes.74
lanes.73:
  %t.77 = load <8 x i1>, ptr %live.58
  %t.78 = xor <8 x i1> %t.72, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.79 = select <8 x i1> %t.77, <8 x i1> %t.78, <8 x i1> zeroinitializer
  store <8 x i1> %t.79, ptr %live.58
  %t.80 = load <8 x i1>, ptr %running.59
  %t.81 = xor <8 x i1> %t.72, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.82 = select <8 x i1> %t.80, <8 x i1> %t.81, <8 x i1> zeroinitializer
  store <8 x i1> %t.82, ptr %running.59
  br label %endlanes.74
endlanes.74:
  %running.83 = load <8 x i1>, ptr %running.59
  %t.84 = select <8 x i1> %live.60, <8 x i1> %running.83, <8 x i1> zeroinitializer
  %t.86 = bitcast <8 x i1> %t.84 to i8
  %t.87 = icmp ne i8 %t.86, 0
  br i1 %t.87, label %rest.85, label %loop_next.56
rest.85:
  %count.88 = load <8 x i32>, ptr %count.54
  %t.89 = add <8 x i32> %count.88, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %count.90 = load <8 x i32>, ptr %count.54
  %t.91 = select <8 x i1> %t.84, <8 x i32> %t.89, <8 x i32> %count.90
  store <8 x i32> %t.91, ptr %count.54
  %value.92 = load <8 x i32>, ptr %value.53
  %t.93 = urem <8 x i32> %value.92, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %t.94 = icmp eq <8 x i32> %t.93, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.96 = select <8 x i1> %t.84, <8 x i1> %t.94, <8 x i1> zeroinitializer
  %t.99 = bitcast <8 x i1> %t.96 to i8
  %t.100 = icmp ne i8 %t.99, 0
  br i1 %t.100, label %lanes.97, label %endlanes.98
lanes.97:
  %value.101 = load <8 x i32>, ptr %value.53
  %t.102 = udiv <8 x i32> %value.101, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %value.103 = load <8 x i32>, ptr %value.53
  %t.104 = select <8 x i1> %t.96, <8 x i32> %t.102, <8 x i32> %value.103
  store <8 x i32> %t.104, ptr %value.53
  %t.105 = load <8 x i1>, ptr %running.59
  %t.106 = xor <8 x i1> %t.96, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.107 = select <8 x i1> %t.105, <8 x i1> %t.106, <8 x i1> zeroinitializer
  store <8 x i1> %t.107, ptr %running.59
  br label %endlanes.98
endlanes.98:
  %running.108 = load <8 x i1>, ptr %running.59
  %t.109 = select <8 x i1> %t.84, <8 x i1> %running.108, <8 x i1> zeroinitializer
  %t.111 = bitcast <8 x i1> %t.109 to i8
  %t.112 = icmp ne i8 %t.111, 0
  br i1 %t.112, label %rest.110, label %loop_next.56
rest.110:
  %value.113 = load <8 x i32>, ptr %value.53
  %t.114 = mul <8 x i32> %value.113, <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.115 = add <8 x i32> %t.114, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %value.116 = load <8 x i32>, ptr %value.53
  %t.117 = select <8 x i1> %t.109, <8 x i32> %t.115, <8 x i32> %value.116
  store <8 x i32> %t.117, ptr %value.53
  br label %loop_next.56
loop_next.56:
  br label %loop_head.55
loop_end.57:
  store i32 0, ptr %bonus.118
  br label %trip_head.119
trip_head.119:
  %trip.123 = phi i32 [ 0, %loop_end.57 ], [ %trip.123.next, %trip_next.121 ]
  %t.124 = icmp ult i32 %trip.123, 4
  br i1 %t.124, label %trip_body.120, label %trip_end.122
trip_body.120:
  %t.125 = mul nsw i32 %trip.123, -3
  %t.126 = add nsw i32 %t.125, 10
  %t.127 = urem i32 %t.126, 2
  %t.128 = icmp eq i32 %t.127, 0
  %bonus.129 = load i32, ptr %bonus.118
  %t.130 = select i1 %t.128, i32 %t.126, i32 -1
  %t.131 = add i32 %bonus.129, %t.130
  store i32 %t.131, ptr %bonus.118
  br label %trip_next.121
trip_next.121:
  %trip.123.next = add nuw i32 %trip.123, 1
  br label %trip_head.119
trip_end.122:
  %t.132 = sext i32 %workgroup_id.19 to i64
  %index.133 = mul i64 %t.132, 64
  %index.134 = add i64 %index.133, %local_x.35
  %count.135 = load <8 x i32>, ptr %count.54
  %bonus.136 = load i32, ptr %bonus.118
  %t.137 = insertelement <8 x i32> poison, i32 %bonus.136, i32 0
  %t.138 = shufflevector <8 x i32> %t.137, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.139 = add <8 x i32> %count.135, %t.138
  %place.140 = getelementptr inbounds i32, ptr %buffer1, i64 %index.134
  store <8 x i32> %t.139, ptr %place.140, align 32 ; may stream
  br label %local_x_next.33
local_x_next.33:
  %local_x.35.next = add nsw i64 %local_x.35, 8
  br label %local_x_head.31
local_x_end.34:
  %t.143 = icmp sgt i64 %t.30, 0
  br i1 %t.143, label %last_gang.142, label %row_end.141
last_gang.142:
  %t.144 = insertelement <8 x i64> poison, i64 %t.30, i32 0
  %t.145 = shufflevector <8 x i64> %t.144, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask.146 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %t.145
  %t.147 = mul nsw i32 %workgroup_id.19, 64
  %local_id.148 = trunc i64 %t.29 to i32
  %t.149 = insertelement <8 x i32> poison, i32 %local_id.148, i32 0
  %t.150 = shufflevector <8 x i32> %t.149, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.151 = add nsw <8 x i32> %t.150, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.152 = insertelement <8 x i32> poison, i32 %t.147, i32 0
  %t.153 = shufflevector <8 x i32> %t.152, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.154 = add nsw <8 x i32> %t.153, %t.151
  %t.155 = sext i32 %workgroup_id.19 to i64
  %index.156 = mul i64 %t.155, 64
  %index.157 = add i64 %index.156, %t.29
  %t.158 = sext i32 %workgroup_id.19 to i64
  %index.159 = mul i64 %t.158, 64
  %index.160 = add i64 %index.159, %t.29
  %place.161 = getelementptr i32, ptr %buffer0, i64 %index.160
  %starts.162 = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %place.161, i32 4, <8 x i1> %mask.146, <8 x i32> poison)
  store <8 x i32> %starts.162, ptr %value.163
  store <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>, ptr %count.164
  store <8 x i1> %mask.146, ptr %live.168
  br label %loop_head.165
loop_head.165:
  %live.170 = load <8 x i1>, ptr %live.168
  store <8 x i1> %live.170, ptr %running.169
  %t.172 = bitcast <8 x i1> %live.170 to i8
  %t.173 = icmp ne i8 %t.172, 0
  br i1 %t.173, label %iteration.171, label %loop_end.167
iteration.171:
  %value.174 = load <8 x i32>, ptr %value.163
  %t.175 = icmp ule <8 x i32> %value.174, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %count.176 = load <8 x i32>, ptr %count.164
  %t.177 = insertelement <8 x i32> poison, i32 %param1, i32 0
  %t.178 = shufflevector <8 x i32> %t.177, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.179 = icmp sge <8 x i32> %count.176, %t.178
  %t.180 = or <8 x i1> %t.175, %t.179
  %t.182 = select <8 x i1> %live.170, <8 x i1> %t.180, <8 x i1> zeroinitializer
  %t.185 = bitcast <8 x i1> %t.182 to i8
  %t.186 = icmp ne i8 %t.185, 0
  br i1 %t.186, label %lanes.183, label %endlanes.184
lanes.183:
  %t.187 = load <8 x i1>, ptr %live.168
  %t.188 = xor <8 x i1> %t.182, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.189 = select <8 x i1> %t.187, <8 x i1> %t.188, <8 x i1> zeroinitializer
  store <8 x i1> %t.189, ptr %live.168
  %t.190 = load <8 x i1>, ptr %running.169
  %t.191 = xor <8 x i1> %t.182, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.192 = select <8 x i1> %t.190, <8 x i1> %t.191, <8 x i1> zeroinitializer
  store <8 x i1> %t.192, ptr %running.169
  br label %endlanes.184
endlanes.184:
  %running.193 = load <8 x i1>, ptr %running.169
  %t.194 = select <8 x i1> %live.170, <8 x i1> %running.193, <8 x i1> zeroinitializer
  %t.196 = bitcast <8 x i1> %t.194 to i8
  %t.197 = icmp ne i8 %t.196, 0
  br i1 %t.197, label %rest.195, label %loop_next.166
rest.195:
  %count.198 = load <8 x i32>, ptr %count.164
  %t.199 = add <8 x i32> %count.198, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %count.200 = load <8 x i32>, ptr %count.164
  %t.201 = select <8 x i1> %t.194, <8 x i32> %t.199, <8 x i32> %count.200
  store <8 x i32> %t.201, ptr %count.164
  %value.202 = load <8 x i32>, ptr %value.163
  %t.203 = urem <8 x i32> %value.202, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %t.204 = icmp eq <8 x i32> %t.203, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.206 = select <8 x i1> %t.194, <8 x i1> %t.204, <8 x i1> zeroinitializer
  %t.209 = bitcast <8 x i1> %t.206 to i8
  %t.210 = icmp ne i8 %t.209, 0
  br i1 %t.210, label %lanes.207, label %endlanes.208
lanes.207:
  %value.211 = load <8 x i32>, ptr %value.163
  %t.212 = udiv <8 x i32> %value.211, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %value.213 = load <8 x i32>, ptr %value.163
  %t.214 = select <8 x i1> %t.206, <8 x i32> %t.212, <8 x i32> %value.213
  store <8 x i32> %t.214, ptr %value.163
  %t.215 = load <8 x i1>, ptr %running.169
  %t.216 = xor <8 x i1> %t.206, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.217 = select <8 x i1> %t.215, <8 x i1> %t.216, <8 x i1> zeroinitializer
  store <8 x i1> %t.217, ptr %running.169
  br label %endlanes.208
endlanes.208:
  %running.218 = load <8 x i1>, ptr %running.169
  %t.219 = select <8 x i1> %t.194, <8 x i1> %running.218, <8 x i1> zeroinitializer
  %t.221 = bitcast <8 x i1> %t.219 to i8
  %t.222 = icmp ne i8 %t.221, 0
  br i1 %t.222, label %rest.220, label %loop_next.166
rest.220:
  %value.223 = load <8 x i32>, ptr %value.163
  %t.224 = mul <8 x i32> %value.223, <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.225 = add <8 x i32> %t.224, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %value.226 = load <8 x i32>, ptr %value.163
  %t.227 = select <8 x i1> %t.219, <8 x i32> %t.225, <8 x i32> %value.226
  store <8 x i32> %t.227, ptr %value.163
  br label %loop_next.166
loop_next.166:
  br label %loop_head.165
loop_end.167:
  store i32 0, ptr %bonus.228
  br label %trip_head.229
trip_head.229:
  %trip.233 = phi i32 [ 0, %loop_end.167 ], [ %trip.233.next, %trip_next.231 ]
  %t.234 = icmp ult i32 %trip.233, 4
  br i1 %t.234, label %trip_body.230, label %trip_end.232
trip_body.230:
  %t.235 = mul nsw i32 %trip.233, -3
  %t.236 = add nsw i32 %t.235, 10
  %t.237 = urem i32 %t.236, 2
  %t.238 = icmp eq i32 %t.237, 0
  %bonus.239 = load i32, ptr %bonus.228
  %t.240 = select i1 %t.238, i32 %t.236, i32 -1
  %t.241 = add i32 %bonus.239, %t.240
  store i32 %t.241, ptr %bonus.228
  br label %trip_next.231
trip_next.231:
  %trip.233.next = add nuw i32 %trip.233, 1
  br label %trip_head.229
trip_end.232:
  %t.242 = sext i32 %workgroup_id.19 to i64
  %index.243 = mul i64 %t.242, 64
  %index.244 = add i64 %index.243, %t.29
  %count.245 = load <8 x i32>, ptr %count.164
  %bonus.246 = load i32, ptr %bonus.228
  %t.247 = insertelement <8 x i32> poison, i32 %bonus.246, i32 0
  %t.248 = shufflevector <8 x i32> %t.247, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.249 = add <8 x i32> %count.245, %t.248
  %place.250 = getelementptr i32, ptr %buffer1, i64 %index.244
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %t.249, ptr %place.250, i32 4, <8 x i1> %mask.146)
  br label %row_end.141
row_end.141:
  %t.251 = zext i1 true to i32
  %t.252 = add nuw i32 %workgroup_id.19, %t.251
  %t.253 = icmp eq i32 %t.252, %gx
  %t.254 = select i1 %t.253, i32 0, i32 %t.252
  store i32 %t.254, ptr %workgroup_id.7
  %t.255 = zext i1 %t.253 to i32
  %t.256 = add nuw i32 %workgroup_id.20, %t.255
  %t.257 = icmp eq i32 %t.256, %gy
  %t.258 = select i1 %t.257, i32 0, i32 %t.256
  store i32 %t.258, ptr %workgroup_id.9
  %t.259 = zext i1 %t.257 to i32
  %t.260 = add nuw i32 %workgroup_id.21, %t.259
  %t.261 = icmp eq i32 %t.260, %gz
  %t.262 = select i1 %t.261, i32 0, i32 %t.260
  store i32 %t.262, ptr %workgroup_id.11
  br label %workgroup_next.15
workgroup_next.15:
  %workgroup.17.next = add nsw i64 %workgroup.17, 1
  br label %workgroup_head.13
workgroup_end.16:
  ret void
}

declare <8 x i32> @llvm.masked.load.v8i32.p0(ptr, i32, <8 x i1>, <8 x i32>)
declare void @llvm.masked.store.v8i32.p0(<8 x i32>, ptr, i32, <8 x i1>)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
