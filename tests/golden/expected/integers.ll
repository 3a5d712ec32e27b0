; kernel integers
@gpucore_scratch_nbytes = constant i64 0

define void @gpucore_entry(ptr %buffers, ptr %scalars, ptr %scratch, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) nounwind {
entry:
  %t.1 = getelementptr ptr, ptr %buffers, i64 0
  %a.2 = load ptr, ptr %t.1
  %t.3 = getelementptr ptr, ptr %buffers, i64 1
  %b.4 = load ptr, ptr %t.3
  %t.5 = getelementptr ptr, ptr %buffers, i64 2
  %c.6 = load ptr, ptr %t.5
  %t.7 = getelementptr ptr, ptr %buffers, i64 3
  %signed.8 = load ptr, ptr %t.7
  %t.9 = getelementptr ptr, ptr %buffers, i64 4
  %unsigned.10 = load ptr, ptr %t.9
  %t.11 = getelementptr i8, ptr %scalars, i64 0
  %signed_shape_0_.12 = load i32, ptr %t.11
  call void @gpucore_workgroups(ptr %a.2, ptr %b.4, ptr %c.6, ptr %signed.8, ptr %unsigned.10, i32 %signed_shape_0_.12, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last)
  ret void
}

define internal void @gpucore_workgroups(ptr noalias nonnull align 64 %buffer0, ptr noalias nonnull align 64 %buffer1, ptr noalias nonnull align 64 %buffer2, ptr noalias nonnull align 64 %buffer3, ptr noalias nonnull align 64 %buffer4, i32 %param0, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) noinline nounwind {
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
  %a.52 = load <8 x i32>, ptr %place.51, align 4
  %t.53 = sext i32 %workgroup_id.19 to i64
  %index.54 = mul i64 %t.53, 64
  %index.55 = add i64 %index.54, %local_x.35
  %place.56 = getelementptr inbounds i32, ptr %buffer1, i64 %index.55
  %b.57 = load <8 x i32>, ptr %place.56, align 4
  %t.58 = sext i32 %workgroup_id.19 to i64
  %index.59 = mul i64 %t.58, 64
  %index.60 = add i64 %index.59, %local_x.35
  %place.61 = getelementptr inbounds i32, ptr %buffer2, i64 %index.60
  %c.62 = load <8 x i32>, ptr %place.61, align 4
  %t.63 = icmp eq <8 x i32> %b.57, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.64 = icmp eq <8 x i32> %b.57, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.65 = or <8 x i1> %t.63, %t.64
  %t.66 = select <8 x i1> %t.65, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> %b.57
  %t.67 = srem <8 x i32> %a.52, %t.66
  %t.68 = icmp ne <8 x i32> %t.67, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.69 = xor <8 x i32> %t.67, %t.66
  %t.70 = icmp slt <8 x i32> %t.69, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.71 = and <8 x i1> %t.68, %t.70
  %t.72 = sdiv <8 x i32> %a.52, %t.66
  %t.73 = select <8 x i1> %t.71, <8 x i32> <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.74 = add <8 x i32> %t.72, %t.73
  %t.75 = sub <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>, %a.52
  %t.76 = select <8 x i1> %t.64, <8 x i32> %t.75, <8 x i32> %t.74
  %t.77 = icmp eq <8 x i32> %b.57, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.78 = icmp eq <8 x i32> %b.57, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.79 = or <8 x i1> %t.77, %t.78
  %t.80 = select <8 x i1> %t.79, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> %b.57
  %t.81 = srem <8 x i32> %a.52, %t.80
  %t.82 = icmp ne <8 x i32> %t.81, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.83 = xor <8 x i32> %t.81, %t.80
  %t.84 = icmp slt <8 x i32> %t.83, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.85 = and <8 x i1> %t.82, %t.84
  %t.86 = sdiv <8 x i32> %a.52, %t.80
  %t.87 = select <8 x i1> %t.85, <8 x i32> <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.88 = add <8 x i32> %t.86, %t.87
  %t.89 = sub <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>, %a.52
  %t.90 = select <8 x i1> %t.78, <8 x i32> %t.89, <8 x i32> %t.88
  %t.91 = icmp eq <8 x i32> %b.57, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.92 = icmp eq <8 x i32> %b.57, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.93 = or <8 x i1> %t.91, %t.92
  %t.94 = select <8 x i1> %t.93, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> %b.57
  %t.95 = srem <8 x i32> %a.52, %t.94
  %t.96 = icmp ne <8 x i32> %t.95, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.97 = xor <8 x i32> %t.95, %t.94
  %t.98 = icmp slt <8 x i32> %t.97, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.99 = and <8 x i1> %t.96, %t.98
  %t.100 = select <8 x i1> %t.99, <8 x i32> %t.94, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.101 = add <8 x i32> %t.95, %t.100
  %t.102 = icmp eq <8 x i32> %b.57, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.103 = icmp eq <8 x i32> %b.57, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.104 = or <8 x i1> %t.102, %t.103
  %t.105 = select <8 x i1> %t.104, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> %b.57
  %t.106 = srem <8 x i32> %a.52, %t.105
  %t.107 = icmp ne <8 x i32> %t.106, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.108 = xor <8 x i32> %t.106, %t.105
  %t.109 = icmp slt <8 x i32> %t.108, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.110 = and <8 x i1> %t.107, %t.109
  %t.111 = select <8 x i1> %t.110, <8 x i32> %t.105, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.112 = add <8 x i32> %t.106, %t.111
  %t.113 = icmp eq <8 x i32> %b.57, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.114 = icmp eq <8 x i32> %b.57, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.115 = or <8 x i1> %t.113, %t.114
  %t.116 = select <8 x i1> %t.115, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> %b.57
  %t.117 = srem <8 x i32> %a.52, %t.116
  %t.118 = icmp ne <8 x i32> %t.117, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.119 = xor <8 x i32> %t.117, %t.116
  %t.120 = icmp slt <8 x i32> %t.119, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.121 = and <8 x i1> %t.118, %t.120
  %t.122 = sdiv <8 x i32> %a.52, %t.116
  %t.123 = sub <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>, %a.52
  %t.124 = select <8 x i1> %t.114, <8 x i32> %t.123, <8 x i32> %t.122
  %t.125 = icmp eq <8 x i32> %b.57, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.126 = icmp eq <8 x i32> %b.57, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.127 = or <8 x i1> %t.125, %t.126
  %t.128 = select <8 x i1> %t.127, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> %b.57
  %t.129 = srem <8 x i32> %a.52, %t.128
  %t.130 = add <8 x i32> %t.124, %t.129
  %t.131 = icmp eq <8 x i32> %b.57, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.132 = icmp eq <8 x i32> %b.57, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.133 = or <8 x i1> %t.131, %t.132
  %t.134 = select <8 x i1> %t.133, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> %b.57
  %t.135 = srem <8 x i32> %a.52, %t.134
  %t.136 = icmp ne <8 x i32> %t.135, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.137 = xor <8 x i32> %t.135, %t.134
  %t.138 = icmp slt <8 x i32> %t.137, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.139 = and <8 x i1> %t.136, %t.138
  %t.140 = sdiv <8 x i32> %a.52, %t.134
  %t.141 = sub <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>, %a.52
  %t.142 = select <8 x i1> %t.132, <8 x i32> %t.141, <8 x i32> %t.140
  %t.143 = icmp eq <8 x i32> %b.57, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.144 = icmp eq <8 x i32> %b.57, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.145 = or <8 x i1> %t.143, %t.144
  %t.146 = select <8 x i1> %t.145, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> %b.57
  %t.147 = srem <8 x i32> %a.52, %t.146
  %t.148 = icmp eq <8 x i32> %b.57, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.149 = icmp eq <8 x i32> %b.57, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.150 = or <8 x i1> %t.148, %t.149
  %t.151 = select <8 x i1> %t.150, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> %b.57
  %t.152 = srem <8 x i32> %a.52, %t.151
  %t.153 = icmp ne <8 x i32> %t.152, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.154 = xor <8 x i32> %t.152, %t.151
  %t.155 = icmp slt <8 x i32> %t.154, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.156 = and <8 x i1> %t.153, %t.155
  %t.157 = sdiv <8 x i32> %a.52, %t.151
  %t.158 = sub <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>, %a.52
  %t.159 = select <8 x i1> %t.149, <8 x i32> %t.158, <8 x i32> %t.157
  %t.160 = icmp eq <8 x i32> %b.57, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.161 = icmp eq <8 x i32> %b.57, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.162 = or <8 x i1> %t.160, %t.161
  %t.163 = select <8 x i1> %t.162, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> %b.57
  %t.164 = srem <8 x i32> %a.52, %t.163
  %t.165 = add <8 x i32> %t.159, %t.164
  %t.166 = and <8 x i32> %b.57, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.167 = shl <8 x i32> %a.52, %t.166
  %t.168 = and <8 x i32> %b.57, <i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7>
  %t.169 = and <8 x i32> %t.168, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.170 = ashr <8 x i32> %a.52, %t.169
  %t.171 = xor <8 x i32> %t.167, %t.170
  %t.172 = and <8 x i32> %b.57, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.173 = shl <8 x i32> %a.52, %t.172
  %t.174 = and <8 x i32> %b.57, <i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7>
  %t.175 = and <8 x i32> %t.174, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.176 = ashr <8 x i32> %a.52, %t.175
  %t.177 = xor <8 x i32> %t.173, %t.176
  %t.178 = sext i32 %workgroup_id.19 to i64
  %index.179 = mul i64 %t.178, 64
  %index.180 = add i64 %index.179, %local_x.35
  %t.181 = mul <8 x i32> %t.76, %t.101
  %t.182 = sub <8 x i32> %t.181, %t.130
  %t.183 = xor <8 x i32> %a.52, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.184 = or <8 x i32> %t.171, %t.183
  %t.185 = add <8 x i32> %t.182, %t.184
  %t.186 = icmp eq <8 x i32> <i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8>, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.187 = icmp eq <8 x i32> <i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8>, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.188 = or <8 x i1> %t.186, %t.187
  %t.189 = select <8 x i1> %t.188, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> <i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8>
  %t.190 = srem <8 x i32> %a.52, %t.189
  %t.191 = icmp ne <8 x i32> %t.190, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.192 = xor <8 x i32> %t.190, %t.189
  %t.193 = icmp slt <8 x i32> %t.192, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.194 = and <8 x i1> %t.191, %t.193
  %t.195 = sdiv <8 x i32> %a.52, %t.189
  %t.196 = select <8 x i1> %t.194, <8 x i32> <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.197 = add <8 x i32> %t.195, %t.196
  %t.198 = sub <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>, %a.52
  %t.199 = select <8 x i1> %t.187, <8 x i32> %t.198, <8 x i32> %t.197
  %t.200 = add <8 x i32> %t.185, %t.199
  %t.201 = icmp eq <8 x i32> <i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8>, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.202 = icmp eq <8 x i32> <i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8>, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.203 = or <8 x i1> %t.201, %t.202
  %t.204 = select <8 x i1> %t.203, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> <i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8>
  %t.205 = srem <8 x i32> %b.57, %t.204
  %t.206 = icmp ne <8 x i32> %t.205, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.207 = xor <8 x i32> %t.205, %t.204
  %t.208 = icmp slt <8 x i32> %t.207, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.209 = and <8 x i1> %t.206, %t.208
  %t.210 = select <8 x i1> %t.209, <8 x i32> %t.204, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.211 = add <8 x i32> %t.205, %t.210
  %t.212 = add <8 x i32> %t.200, %t.211
  %t.213 = call <8 x i32> @llvm.abs.v8i32(<8 x i32> %b.57, i1 false)
  %t.214 = sub <8 x i32> %t.212, %t.213
  %place.215 = getelementptr inbounds i32, ptr %buffer3, i64 %index.180
  store <8 x i32> %t.214, ptr %place.215, align 32 ; may stream
  %t.216 = sext i32 %workgroup_id.19 to i64
  %index.217 = mul i64 %t.216, 64
  %index.218 = add i64 %index.217, %local_x.35
  %t.219 = udiv <8 x i32> %c.62, <i32 10, i32 10, i32 10, i32 10, i32 10, i32 10, i32 10, i32 10>
  %t.220 = urem <8 x i32> %c.62, <i32 10, i32 10, i32 10, i32 10, i32 10, i32 10, i32 10, i32 10>
  %t.221 = add nuw <8 x i32> %t.219, %t.220
  %t.222 = mul <8 x i32> %t.221, <i32 -1640531535, i32 -1640531535, i32 -1640531535, i32 -1640531535, i32 -1640531535, i32 -1640531535, i32 -1640531535, i32 -1640531535>
  %t.223 = and <8 x i32> <i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16>, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.224 = lshr <8 x i32> %c.62, %t.223
  %t.225 = call <8 x i32> @llvm.ctpop.v8i32(<8 x i32> %c.62)
  %t.226 = call <8 x i32> @llvm.ctlz.v8i32(<8 x i32> %c.62, i1 false)
  %t.227 = add nuw <8 x i32> %t.225, %t.226
  %t.228 = call <8 x i32> @llvm.cttz.v8i32(<8 x i32> %c.62, i1 false)
  %t.229 = sub <8 x i32> %t.227, %t.228
  %t.230 = and <8 x i32> %t.224, %t.229
  %t.231 = xor <8 x i32> %t.222, %t.230
  %t.232 = call <8 x i32> @llvm.bitreverse.v8i32(<8 x i32> %c.62)
  %t.233 = or <8 x i32> %t.231, %t.232
  %place.234 = getelementptr inbounds i32, ptr %buffer4, i64 %index.218
  store <8 x i32> %t.233, ptr %place.234, align 32 ; may stream
  br label %local_x_next.33
local_x_next.33:
  %local_x.35.next = add nsw i64 %local_x.35, 8
  br label %local_x_head.31
local_x_end.34:
  %t.237 = icmp sgt i64 %t.30, 0
  br i1 %t.237, label %last_gang.236, label %row_end.235
last_gang.236:
  %t.238 = insertelement <8 x i64> poison, i64 %t.30, i32 0
  %t.239 = shufflevector <8 x i64> %t.238, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask.240 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %t.239
  %t.241 = mul nsw i32 %workgroup_id.19, 64
  %local_id.242 = trunc i64 %t.29 to i32
  %t.243 = insertelement <8 x i32> poison, i32 %local_id.242, i32 0
  %t.244 = shufflevector <8 x i32> %t.243, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.245 = add nsw <8 x i32> %t.244, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.246 = insertelement <8 x i32> poison, i32 %t.241, i32 0
  %t.247 = shufflevector <8 x i32> %t.246, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.248 = add nsw <8 x i32> %t.247, %t.245
  %t.249 = sext i32 %workgroup_id.19 to i64
  %index.250 = mul i64 %t.249, 64
  %index.251 = add i64 %index.250, %t.29
  %t.252 = sext i32 %workgroup_id.19 to i64
  %index.253 = mul i64 %t.252, 64
  %index.254 = add i64 %index.253, %t.29
  %place.255 = getelementptr i32, ptr %buffer0, i64 %index.254
  %a.256 = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %place.255, i32 4, <8 x i1> %mask.240, <8 x i32> poison)
  %t.257 = sext i32 %workgroup_id.19 to i64
  %index.258 = mul i64 %t.257, 64
  %index.259 = add i64 %index.258, %t.29
  %place.260 = getelementptr i32, ptr %buffer1, i64 %index.259
  %b.261 = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %place.260, i32 4, <8 x i1> %mask.240, <8 x i32> poison)
  %t.262 = sext i32 %workgroup_id.19 to i64
  %index.263 = mul i64 %t.262, 64
  %index.264 = add i64 %index.263, %t.29
  %place.265 = getelementptr i32, ptr %buffer2, i64 %index.264
  %c.266 = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %place.265, i32 4, <8 x i1> %mask.240, <8 x i32> poison)
  %t.267 = select <8 x i1> %mask.240, <8 x i32> %b.261, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.268 = icmp eq <8 x i32> %t.267, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.269 = icmp eq <8 x i32> %t.267, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.270 = or <8 x i1> %t.268, %t.269
  %t.271 = select <8 x i1> %t.270, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> %t.267
  %t.272 = srem <8 x i32> %a.256, %t.271
  %t.273 = icmp ne <8 x i32> %t.272, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.274 = xor <8 x i32> %t.272, %t.271
  %t.275 = icmp slt <8 x i32> %t.274, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.276 = and <8 x i1> %t.273, %t.275
  %t.277 = sdiv <8 x i32> %a.256, %t.271
  %t.278 = select <8 x i1> %t.276, <8 x i32> <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.279 = add <8 x i32> %t.277, %t.278
  %t.280 = sub <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>, %a.256
  %t.281 = select <8 x i1> %t.269, <8 x i32> %t.280, <8 x i32> %t.279
  %t.282 = select <8 x i1> %mask.240, <8 x i32> %b.261, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.283 = icmp eq <8 x i32> %t.282, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.284 = icmp eq <8 x i32> %t.282, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.285 = or <8 x i1> %t.283, %t.284
  %t.286 = select <8 x i1> %t.285, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> %t.282
  %t.287 = srem <8 x i32> %a.256, %t.286
  %t.288 = icmp ne <8 x i32> %t.287, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.289 = xor <8 x i32> %t.287, %t.286
  %t.290 = icmp slt <8 x i32> %t.289, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.291 = and <8 x i1> %t.288, %t.290
  %t.292 = sdiv <8 x i32> %a.256, %t.286
  %t.293 = select <8 x i1> %t.291, <8 x i32> <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.294 = add <8 x i32> %t.292, %t.293
  %t.295 = sub <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>, %a.256
  %t.296 = select <8 x i1> %t.284, <8 x i32> %t.295, <8 x i32> %t.294
  %t.297 = select <8 x i1> %mask.240, <8 x i32> %b.261, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.298 = icmp eq <8 x i32> %t.297, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.299 = icmp eq <8 x i32> %t.297, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.300 = or <8 x i1> %t.298, %t.299
  %t.301 = select <8 x i1> %t.300, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> %t.297
  %t.302 = srem <8 x i32> %a.256, %t.301
  %t.303 = icmp ne <8 x i32> %t.302, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.304 = xor <8 x i32> %t.302, %t.301
  %t.305 = icmp slt <8 x i32> %t.304, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.306 = and <8 x i1> %t.303, %t.305
  %t.307 = select <8 x i1> %t.306, <8 x i32> %t.301, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.308 = add <8 x i32> %t.302, %t.307
  %t.309 = select <8 x i1> %mask.240, <8 x i32> %b.261, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.310 = icmp eq <8 x i32> %t.309, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.311 = icmp eq <8 x i32> %t.309, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.312 = or <8 x i1> %t.310, %t.311
  %t.313 = select <8 x i1> %t.312, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> %t.309
  %t.314 = srem <8 x i32> %a.256, %t.313
  %t.315 = icmp ne <8 x i32> %t.314, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.316 = xor <8 x i32> %t.314, %t.313
  %t.317 = icmp slt <8 x i32> %t.316, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.318 = and <8 x i1> %t.315, %t.317
  %t.319 = select <8 x i1> %t.318, <8 x i32> %t.313, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.320 = add <8 x i32> %t.314, %t.319
  %t.321 = select <8 x i1> %mask.240, <8 x i32> %b.261, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.322 = icmp eq <8 x i32> %t.321, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.323 = icmp eq <8 x i32> %t.321, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.324 = or <8 x i1> %t.322, %t.323
  %t.325 = select <8 x i1> %t.324, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> %t.321
  %t.326 = srem <8 x i32> %a.256, %t.325
  %t.327 = icmp ne <8 x i32> %t.326, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.328 = xor <8 x i32> %t.326, %t.325
  %t.329 = icmp slt <8 x i32> %t.328, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.330 = and <8 x i1> %t.327, %t.329
  %t.331 = sdiv <8 x i32> %a.256, %t.325
  %t.332 = sub <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>, %a.256
  %t.333 = select <8 x i1> %t.323, <8 x i32> %t.332, <8 x i32> %t.331
  %t.334 = select <8 x i1> %mask.240, <8 x i32> %b.261, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.335 = icmp eq <8 x i32> %t.334, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.336 = icmp eq <8 x i32> %t.334, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.337 = or <8 x i1> %t.335, %t.336
  %t.338 = select <8 x i1> %t.337, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> %t.334
  %t.339 = srem <8 x i32> %a.256, %t.338
  %t.340 = add <8 x i32> %t.333, %t.339
  %t.341 = select <8 x i1> %mask.240, <8 x i32> %b.261, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.342 = icmp eq <8 x i32> %t.341, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.343 = icmp eq <8 x i32> %t.341, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.344 = or <8 x i1> %t.342, %t.343
  %t.345 = select <8 x i1> %t.344, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> %t.341
  %t.346 = srem <8 x i32> %a.256, %t.345
  %t.347 = icmp ne <8 x i32> %t.346, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.348 = xor <8 x i32> %t.346, %t.345
  %t.349 = icmp slt <8 x i32> %t.348, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.350 = and <8 x i1> %t.347, %t.349
  %t.351 = sdiv <8 x i32> %a.256, %t.345
  %t.352 = sub <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>, %a.256
  %t.353 = select <8 x i1> %t.343, <8 x i32> %t.352, <8 x i32> %t.351
  %t.354 = select <8 x i1> %mask.240, <8 x i32> %b.261, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.355 = icmp eq <8 x i32> %t.354, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.356 = icmp eq <8 x i32> %t.354, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.357 = or <8 x i1> %t.355, %t.356
  %t.358 = select <8 x i1> %t.357, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> %t.354
  %t.359 = srem <8 x i32> %a.256, %t.358
  %t.360 = select <8 x i1> %mask.240, <8 x i32> %b.261, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.361 = icmp eq <8 x i32> %t.360, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.362 = icmp eq <8 x i32> %t.360, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.363 = or <8 x i1> %t.361, %t.362
  %t.364 = select <8 x i1> %t.363, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> %t.360
  %t.365 = srem <8 x i32> %a.256, %t.364
  %t.366 = icmp ne <8 x i32> %t.365, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.367 = xor <8 x i32> %t.365, %t.364
  %t.368 = icmp slt <8 x i32> %t.367, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.369 = and <8 x i1> %t.366, %t.368
  %t.370 = sdiv <8 x i32> %a.256, %t.364
  %t.371 = sub <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>, %a.256
  %t.372 = select <8 x i1> %t.362, <8 x i32> %t.371, <8 x i32> %t.370
  %t.373 = select <8 x i1> %mask.240, <8 x i32> %b.261, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.374 = icmp eq <8 x i32> %t.373, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.375 = icmp eq <8 x i32> %t.373, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.376 = or <8 x i1> %t.374, %t.375
  %t.377 = select <8 x i1> %t.376, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> %t.373
  %t.378 = srem <8 x i32> %a.256, %t.377
  %t.379 = add <8 x i32> %t.372, %t.378
  %t.380 = and <8 x i32> %b.261, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.381 = shl <8 x i32> %a.256, %t.380
  %t.382 = and <8 x i32> %b.261, <i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7>
  %t.383 = and <8 x i32> %t.382, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.384 = ashr <8 x i32> %a.256, %t.383
  %t.385 = xor <8 x i32> %t.381, %t.384
  %t.386 = and <8 x i32> %b.261, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.387 = shl <8 x i32> %a.256, %t.386
  %t.388 = and <8 x i32> %b.261, <i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7, i32 7>
  %t.389 = and <8 x i32> %t.388, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.390 = ashr <8 x i32> %a.256, %t.389
  %t.391 = xor <8 x i32> %t.387, %t.390
  %t.392 = sext i32 %workgroup_id.19 to i64
  %index.393 = mul i64 %t.392, 64
  %index.394 = add i64 %index.393, %t.29
  %t.395 = mul <8 x i32> %t.281, %t.308
  %t.396 = sub <8 x i32> %t.395, %t.340
  %t.397 = xor <8 x i32> %a.256, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.398 = or <8 x i32> %t.385, %t.397
  %t.399 = add <8 x i32> %t.396, %t.398
  %t.400 = icmp eq <8 x i32> <i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8>, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.401 = icmp eq <8 x i32> <i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8>, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.402 = or <8 x i1> %t.400, %t.401
  %t.403 = select <8 x i1> %t.402, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> <i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8>
  %t.404 = srem <8 x i32> %a.256, %t.403
  %t.405 = icmp ne <8 x i32> %t.404, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.406 = xor <8 x i32> %t.404, %t.403
  %t.407 = icmp slt <8 x i32> %t.406, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.408 = and <8 x i1> %t.405, %t.407
  %t.409 = sdiv <8 x i32> %a.256, %t.403
  %t.410 = select <8 x i1> %t.408, <8 x i32> <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.411 = add <8 x i32> %t.409, %t.410
  %t.412 = sub <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>, %a.256
  %t.413 = select <8 x i1> %t.401, <8 x i32> %t.412, <8 x i32> %t.411
  %t.414 = add <8 x i32> %t.399, %t.413
  %t.415 = icmp eq <8 x i32> <i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8>, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.416 = icmp eq <8 x i32> <i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8>, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.417 = or <8 x i1> %t.415, %t.416
  %t.418 = select <8 x i1> %t.417, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> <i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8>
  %t.419 = srem <8 x i32> %b.261, %t.418
  %t.420 = icmp ne <8 x i32> %t.419, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.421 = xor <8 x i32> %t.419, %t.418
  %t.422 = icmp slt <8 x i32> %t.421, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.423 = and <8 x i1> %t.420, %t.422
  %t.424 = select <8 x i1> %t.423, <8 x i32> %t.418, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.425 = add <8 x i32> %t.419, %t.424
  %t.426 = add <8 x i32> %t.414, %t.425
  %t.427 = call <8 x i32> @llvm.abs.v8i32(<8 x i32> %b.261, i1 false)
  %t.428 = sub <8 x i32> %t.426, %t.427
  %place.429 = getelementptr i32, ptr %buffer3, i64 %index.394
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %t.428, ptr %place.429, i32 4, <8 x i1> %mask.240)
  %t.430 = sext i32 %workgroup_id.19 to i64
  %index.431 = mul i64 %t.430, 64
  %index.432 = add i64 %index.431, %t.29
  %t.433 = udiv <8 x i32> %c.266, <i32 10, i32 10, i32 10, i32 10, i32 10, i32 10, i32 10, i32 10>
  %t.434 = urem <8 x i32> %c.266, <i32 10, i32 10, i32 10, i32 10, i32 10, i32 10, i32 10, i32 10>
  %t.435 = add nuw <8 x i32> %t.433, %t.434
  %t.436 = mul <8 x i32> %t.435, <i32 -1640531535, i32 -1640531535, i32 -1640531535, i32 -1640531535, i32 -1640531535, i32 -1640531535, i32 -1640531535, i32 -1640531535>
  %t.437 = and <8 x i32> <i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16>, <i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31, i32 31>
  %t.438 = lshr <8 x i32> %c.266, %t.437
  %t.439 = call <8 x i32> @llvm.ctpop.v8i32(<8 x i32> %c.266)
  %t.440 = call <8 x i32> @llvm.ctlz.v8i32(<8 x i32> %c.266, i1 false)
  %t.441 = add nuw <8 x i32> %t.439, %t.440
  %t.442 = call <8 x i32> @llvm.cttz.v8i32(<8 x i32> %c.266, i1 false)
  %t.443 = sub <8 x i32> %t.441, %t.442
  %t.444 = and <8 x i32> %t.438, %t.443
  %t.445 = xor <8 x i32> %t.436, %t.444
  %t.446 = call <8 x i32> @llvm.bitreverse.v8i32(<8 x i32> %c.266)
  %t.447 = or <8 x i32> %t.445, %t.446
  %place.448 = getelementptr i32, ptr %buffer4, i64 %index.432
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %t.447, ptr %place.448, i32 4, <8 x i1> %mask.240)
  br label %row_end.235
row_end.235:
  %t.449 = zext i1 true to i32
  %t.450 = add nuw i32 %workgroup_id.19, %t.449
  %t.451 = icmp eq i32 %t.450, %gx
  %t.452 = select i1 %t.451, i32 0, i32 %t.450
  store i32 %t.452, ptr %workgroup_id.7
  %t.453 = zext i1 %t.451 to i32
  %t.454 = add nuw i32 %workgroup_id.20, %t.453
  %t.455 = icmp eq i32 %t.454, %gy
  %t.456 = select i1 %t.455, i32 0, i32 %t.454
  store i32 %t.456, ptr %workgroup_id.9
  %t.457 = zext i1 %t.455 to i32
  %t.458 = add nuw i32 %workgroup_id.21, %t.457
  %t.459 = icmp eq i32 %t.458, %gz
  %t.460 = select i1 %t.459, i32 0, i32 %t.458
  store i32 %t.460, ptr %workgroup_id.11
  br label %workgroup_next.15
workgroup_next.15:
  %workgroup.17.next = add nsw i64 %workgroup.17, 1
  br label %workgroup_head.13
workgroup_end.16:
  ret void
}

declare <8 x i32> @llvm.abs.v8i32(<8 x i32>, i1)
declare <8 x i32> @llvm.bitreverse.v8i32(<8 x i32>)
declare <8 x i32> @llvm.ctlz.v8i32(<8 x i32>, i1)
declare <8 x i32> @llvm.ctpop.v8i32(<8 x i32>)
declare <8 x i32> @llvm.cttz.v8i32(<8 x i32>, i1)
declare <8 x i32> @llvm.masked.load.v8i32.p0(ptr, i32, <8 x i1>, <8 x i32>)
declare void @llvm.masked.store.v8i32.p0(<8 x i32>, ptr, i32, <8 x i1>)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
