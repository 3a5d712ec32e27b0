; kernel tables
@gpucore_scratch_nbytes = constant i64 0

define void @gpucore_entry(ptr %buffers, ptr %scalars, ptr %scratch, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) nounwind {
entry:
  %t.1 = getelementptr ptr, ptr %buffers, i64 0
  %x.2 = load ptr, ptr %t.1
  %t.3 = getelementptr ptr, ptr %buffers, i64 1
  %out.4 = load ptr, ptr %t.3
  %t.5 = getelementptr ptr, ptr %buffers, i64 2
  %wide.6 = load ptr, ptr %t.5
  %t.7 = getelementptr i8, ptr %scalars, i64 0
  %x_shape_0_.8 = load i32, ptr %t.7
  call void @gpucore_workgroups(ptr %x.2, ptr %out.4, ptr %wide.6, i32 %x_shape_0_.8, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last)
  ret void
}

define internal void @gpucore_workgroups(ptr noalias nonnull align 64 %buffer0, ptr noalias nonnull align 64 %buffer1, ptr noalias nonnull align 64 %buffer2, i32 %param0, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) noinline nounwind {
entry:
  %workgroup_id.7 = alloca i32, align 4
  %workgroup_id.9 = alloca i32, align 4
  %workgroup_id.11 = alloca i32, align 4
  %choice.54 = alloca <8 x float>, align 32
  %choice.256 = alloca <8 x float>, align 32
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
  %t.48 = urem <8 x i32> %t.44, <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.49 = urem <8 x i32> %t.44, <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.50 = urem <8 x i32> %t.44, <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %places.51 = getelementptr inbounds i32, ptr @table.2, <8 x i32> %t.50
  %MARKS.52 = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> %places.51, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x i32> poison)
  %t.53 = icmp ne <8 x i32> %MARKS.52, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  store <8 x float> undef, ptr %choice.54
  %t.58 = bitcast <8 x i1> %t.53 to i8
  %t.59 = icmp ne i8 %t.58, 0
  br i1 %t.59, label %lanes.56, label %endlanes.57
lanes.56:
  %t.60 = sext i32 %workgroup_id.19 to i64
  %index.61 = mul i64 %t.60, 64
  %index.62 = add i64 %index.61, %local_x.35
  %place.63 = getelementptr i32, ptr %buffer0, i64 %index.62
  %x.64 = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %place.63, i32 4, <8 x i1> %t.53, <8 x i32> poison)
  %t.65 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.66 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.67 = or <8 x i1> %t.65, %t.66
  %t.68 = select <8 x i1> %t.67, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.69 = srem <8 x i32> %x.64, %t.68
  %t.70 = icmp ne <8 x i32> %t.69, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.71 = xor <8 x i32> %t.69, %t.68
  %t.72 = icmp slt <8 x i32> %t.71, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.73 = and <8 x i1> %t.70, %t.72
  %t.74 = select <8 x i1> %t.73, <8 x i32> %t.68, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.75 = add <8 x i32> %t.69, %t.74
  %t.76 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.77 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.78 = or <8 x i1> %t.76, %t.77
  %t.79 = select <8 x i1> %t.78, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.80 = srem <8 x i32> %x.64, %t.79
  %t.81 = icmp ne <8 x i32> %t.80, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.82 = xor <8 x i32> %t.80, %t.79
  %t.83 = icmp slt <8 x i32> %t.82, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.84 = and <8 x i1> %t.81, %t.83
  %t.85 = select <8 x i1> %t.84, <8 x i32> %t.79, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.86 = add <8 x i32> %t.80, %t.85
  %t.87 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.88 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.89 = or <8 x i1> %t.87, %t.88
  %t.90 = select <8 x i1> %t.89, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.91 = srem <8 x i32> %x.64, %t.90
  %t.92 = icmp ne <8 x i32> %t.91, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.93 = xor <8 x i32> %t.91, %t.90
  %t.94 = icmp slt <8 x i32> %t.93, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.95 = and <8 x i1> %t.92, %t.94
  %t.96 = select <8 x i1> %t.95, <8 x i32> %t.90, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.97 = add <8 x i32> %t.91, %t.96
  %places.98 = getelementptr inbounds float, ptr @table.6, <8 x i32> %t.97
  %WEIGHTS.99 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places.98, i32 4, <8 x i1> %t.53, <8 x float> poison)
  %choice.100 = load <8 x float>, ptr %choice.54
  %t.101 = select <8 x i1> %t.53, <8 x float> %WEIGHTS.99, <8 x float> %choice.100
  store <8 x float> %t.101, ptr %choice.54
  br label %endlanes.57
endlanes.57:
  %t.102 = xor <8 x i1> %t.53, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %choice.103 = load <8 x float>, ptr %choice.54
  %t.104 = select <8 x i1> %t.102, <8 x float> <float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000>, <8 x float> %choice.103
  store <8 x float> %t.104, ptr %choice.54
  %t.105 = sext i32 %workgroup_id.19 to i64
  %index.106 = mul i64 %t.105, 64
  %index.107 = add i64 %index.106, %local_x.35
  %choice.108 = load <8 x float>, ptr %choice.54
  %place.109 = getelementptr inbounds float, ptr %buffer1, i64 %index.107
  store <8 x float> %choice.108, ptr %place.109, align 32 ; may stream
  %t.110 = sext i32 %workgroup_id.19 to i64
  %index.111 = mul i64 %t.110, 64
  %index.112 = add i64 %index.111, %local_x.35
  %place.113 = getelementptr inbounds i32, ptr %buffer0, i64 %index.112
  %x.114 = load <8 x i32>, ptr %place.113, align 4
  %t.115 = urem <8 x i32> %t.44, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %t.116 = urem <8 x i32> %t.44, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %t.117 = mul nsw <8 x i32> %t.116, <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.118 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.119 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.120 = or <8 x i1> %t.118, %t.119
  %t.121 = select <8 x i1> %t.120, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.122 = srem <8 x i32> %x.114, %t.121
  %t.123 = icmp ne <8 x i32> %t.122, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.124 = xor <8 x i32> %t.122, %t.121
  %t.125 = icmp slt <8 x i32> %t.124, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.126 = and <8 x i1> %t.123, %t.125
  %t.127 = select <8 x i1> %t.126, <8 x i32> %t.121, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.128 = add <8 x i32> %t.122, %t.127
  %t.129 = urem <8 x i32> %t.44, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %t.130 = mul nsw <8 x i32> %t.129, <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.131 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.132 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.133 = or <8 x i1> %t.131, %t.132
  %t.134 = select <8 x i1> %t.133, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.135 = srem <8 x i32> %x.114, %t.134
  %t.136 = icmp ne <8 x i32> %t.135, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.137 = xor <8 x i32> %t.135, %t.134
  %t.138 = icmp slt <8 x i32> %t.137, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.139 = and <8 x i1> %t.136, %t.138
  %t.140 = select <8 x i1> %t.139, <8 x i32> %t.134, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.141 = add <8 x i32> %t.135, %t.140
  %t.142 = add nsw <8 x i32> %t.130, %t.141
  %t.143 = urem <8 x i32> %t.44, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %t.144 = urem <8 x i32> %t.44, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %t.145 = mul nsw <8 x i32> %t.144, <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.146 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.147 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.148 = or <8 x i1> %t.146, %t.147
  %t.149 = select <8 x i1> %t.148, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.150 = srem <8 x i32> %x.114, %t.149
  %t.151 = icmp ne <8 x i32> %t.150, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.152 = xor <8 x i32> %t.150, %t.149
  %t.153 = icmp slt <8 x i32> %t.152, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.154 = and <8 x i1> %t.151, %t.153
  %t.155 = select <8 x i1> %t.154, <8 x i32> %t.149, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.156 = add <8 x i32> %t.150, %t.155
  %t.157 = urem <8 x i32> %t.44, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %t.158 = urem <8 x i32> %t.44, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %t.159 = mul nsw <8 x i32> %t.158, <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.160 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.161 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.162 = or <8 x i1> %t.160, %t.161
  %t.163 = select <8 x i1> %t.162, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.164 = srem <8 x i32> %x.114, %t.163
  %t.165 = icmp ne <8 x i32> %t.164, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.166 = xor <8 x i32> %t.164, %t.163
  %t.167 = icmp slt <8 x i32> %t.166, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.168 = and <8 x i1> %t.165, %t.167
  %t.169 = select <8 x i1> %t.168, <8 x i32> %t.163, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.170 = add <8 x i32> %t.164, %t.169
  %t.171 = urem <8 x i32> %t.44, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %t.172 = mul nsw <8 x i32> %t.171, <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.173 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.174 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.175 = or <8 x i1> %t.173, %t.174
  %t.176 = select <8 x i1> %t.175, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.177 = srem <8 x i32> %x.114, %t.176
  %t.178 = icmp ne <8 x i32> %t.177, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.179 = xor <8 x i32> %t.177, %t.176
  %t.180 = icmp slt <8 x i32> %t.179, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.181 = and <8 x i1> %t.178, %t.180
  %t.182 = select <8 x i1> %t.181, <8 x i32> %t.176, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.183 = add <8 x i32> %t.177, %t.182
  %t.184 = add nsw <8 x i32> %t.172, %t.183
  %t.185 = urem <8 x i32> %t.44, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %t.186 = urem <8 x i32> %t.44, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %t.187 = mul nsw <8 x i32> %t.186, <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.188 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.189 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.190 = or <8 x i1> %t.188, %t.189
  %t.191 = select <8 x i1> %t.190, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.192 = srem <8 x i32> %x.114, %t.191
  %t.193 = icmp ne <8 x i32> %t.192, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.194 = xor <8 x i32> %t.192, %t.191
  %t.195 = icmp slt <8 x i32> %t.194, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.196 = and <8 x i1> %t.193, %t.195
  %t.197 = select <8 x i1> %t.196, <8 x i32> %t.191, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.198 = add <8 x i32> %t.192, %t.197
  %t.199 = urem <8 x i32> %t.44, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %t.200 = mul nsw <8 x i32> %t.199, <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.201 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.202 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.203 = or <8 x i1> %t.201, %t.202
  %t.204 = select <8 x i1> %t.203, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.205 = srem <8 x i32> %x.114, %t.204
  %t.206 = icmp ne <8 x i32> %t.205, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.207 = xor <8 x i32> %t.205, %t.204
  %t.208 = icmp slt <8 x i32> %t.207, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.209 = and <8 x i1> %t.206, %t.208
  %t.210 = select <8 x i1> %t.209, <8 x i32> %t.204, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.211 = add <8 x i32> %t.205, %t.210
  %t.212 = add nsw <8 x i32> %t.200, %t.211
  %t.213 = urem <8 x i32> %t.44, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %t.214 = mul nsw <8 x i32> %t.213, <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.215 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.216 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.217 = or <8 x i1> %t.215, %t.216
  %t.218 = select <8 x i1> %t.217, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.219 = srem <8 x i32> %x.114, %t.218
  %t.220 = icmp ne <8 x i32> %t.219, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.221 = xor <8 x i32> %t.219, %t.218
  %t.222 = icmp slt <8 x i32> %t.221, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.223 = and <8 x i1> %t.220, %t.222
  %t.224 = select <8 x i1> %t.223, <8 x i32> %t.218, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.225 = add <8 x i32> %t.219, %t.224
  %t.226 = add nsw <8 x i32> %t.214, %t.225
  %places.227 = getelementptr inbounds i64, ptr @table.10, <8 x i32> %t.226
  %PLANE.228 = call <8 x i64> @llvm.masked.gather.v8i64.v8p0(<8 x ptr> %places.227, i32 8, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x i64> poison)
  %t.229 = sext i32 %workgroup_id.19 to i64
  %index.230 = mul i64 %t.229, 64
  %index.231 = add i64 %index.230, %local_x.35
  %place.232 = getelementptr inbounds i64, ptr %buffer2, i64 %index.231
  store <8 x i64> %PLANE.228, ptr %place.232, align 64 ; may stream
  br label %local_x_next.33
local_x_next.33:
  %local_x.35.next = add nsw i64 %local_x.35, 8
  br label %local_x_head.31
local_x_end.34:
  %t.235 = icmp sgt i64 %t.30, 0
  br i1 %t.235, label %last_gang.234, label %row_end.233
last_gang.234:
  %t.236 = insertelement <8 x i64> poison, i64 %t.30, i32 0
  %t.237 = shufflevector <8 x i64> %t.236, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask.238 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %t.237
  %t.239 = mul nsw i32 %workgroup_id.19, 64
  %local_id.240 = trunc i64 %t.29 to i32
  %t.241 = insertelement <8 x i32> poison, i32 %local_id.240, i32 0
  %t.242 = shufflevector <8 x i32> %t.241, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.243 = add nsw <8 x i32> %t.242, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.244 = insertelement <8 x i32> poison, i32 %t.239, i32 0
  %t.245 = shufflevector <8 x i32> %t.244, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.246 = add nsw <8 x i32> %t.245, %t.243
  %t.247 = sext i32 %workgroup_id.19 to i64
  %index.248 = mul i64 %t.247, 64
  %index.249 = add i64 %index.248, %t.29
  %t.250 = urem <8 x i32> %t.246, <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.251 = urem <8 x i32> %t.246, <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.252 = urem <8 x i32> %t.246, <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %places.253 = getelementptr inbounds i32, ptr @table.2, <8 x i32> %t.252
  %MARKS.254 = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> %places.253, i32 4, <8 x i1> %mask.238, <8 x i32> poison)
  %t.255 = icmp ne <8 x i32> %MARKS.254, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  store <8 x float> undef, ptr %choice.256
  %t.258 = select <8 x i1> %mask.238, <8 x i1> %t.255, <8 x i1> zeroinitializer
  %t.261 = bitcast <8 x i1> %t.258 to i8
  %t.262 = icmp ne i8 %t.261, 0
  br i1 %t.262, label %lanes.259, label %endlanes.260
lanes.259:
  %t.263 = sext i32 %workgroup_id.19 to i64
  %index.264 = mul i64 %t.263, 64
  %index.265 = add i64 %index.264, %t.29
  %place.266 = getelementptr i32, ptr %buffer0, i64 %index.265
  %x.267 = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %place.266, i32 4, <8 x i1> %t.258, <8 x i32> poison)
  %t.268 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.269 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.270 = or <8 x i1> %t.268, %t.269
  %t.271 = select <8 x i1> %t.270, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.272 = srem <8 x i32> %x.267, %t.271
  %t.273 = icmp ne <8 x i32> %t.272, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.274 = xor <8 x i32> %t.272, %t.271
  %t.275 = icmp slt <8 x i32> %t.274, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.276 = and <8 x i1> %t.273, %t.275
  %t.277 = select <8 x i1> %t.276, <8 x i32> %t.271, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.278 = add <8 x i32> %t.272, %t.277
  %t.279 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.280 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.281 = or <8 x i1> %t.279, %t.280
  %t.282 = select <8 x i1> %t.281, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.283 = srem <8 x i32> %x.267, %t.282
  %t.284 = icmp ne <8 x i32> %t.283, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.285 = xor <8 x i32> %t.283, %t.282
  %t.286 = icmp slt <8 x i32> %t.285, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.287 = and <8 x i1> %t.284, %t.286
  %t.288 = select <8 x i1> %t.287, <8 x i32> %t.282, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.289 = add <8 x i32> %t.283, %t.288
  %t.290 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.291 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.292 = or <8 x i1> %t.290, %t.291
  %t.293 = select <8 x i1> %t.292, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.294 = srem <8 x i32> %x.267, %t.293
  %t.295 = icmp ne <8 x i32> %t.294, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.296 = xor <8 x i32> %t.294, %t.293
  %t.297 = icmp slt <8 x i32> %t.296, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.298 = and <8 x i1> %t.295, %t.297
  %t.299 = select <8 x i1> %t.298, <8 x i32> %t.293, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.300 = add <8 x i32> %t.294, %t.299
  %places.301 = getelementptr inbounds float, ptr @table.6, <8 x i32> %t.300
  %WEIGHTS.302 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places.301, i32 4, <8 x i1> %t.258, <8 x float> poison)
  %choice.303 = load <8 x float>, ptr %choice.256
  %t.304 = select <8 x i1> %t.258, <8 x float> %WEIGHTS.302, <8 x float> %choice.303
  store <8 x float> %t.304, ptr %choice.256
  br label %endlanes.260
endlanes.260:
  %t.305 = xor <8 x i1> %t.255, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.306 = select <8 x i1> %mask.238, <8 x i1> %t.305, <8 x i1> zeroinitializer
  %choice.307 = load <8 x float>, ptr %choice.256
  %t.308 = select <8 x i1> %t.306, <8 x float> <float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000>, <8 x float> %choice.307
  store <8 x float> %t.308, ptr %choice.256
  %t.309 = sext i32 %workgroup_id.19 to i64
  %index.310 = mul i64 %t.309, 64
  %index.311 = add i64 %index.310, %t.29
  %choice.312 = load <8 x float>, ptr %choice.256
  %place.313 = getelementptr float, ptr %buffer1, i64 %index.311
  call void @llvm.masked.store.v8f32.p0(<8 x float> %choice.312, ptr %place.313, i32 4, <8 x i1> %mask.238)
  %t.314 = sext i32 %workgroup_id.19 to i64
  %index.315 = mul i64 %t.314, 64
  %index.316 = add i64 %index.315, %t.29
  %place.317 = getelementptr i32, ptr %buffer0, i64 %index.316
  %x.318 = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %place.317, i32 4, <8 x i1> %mask.238, <8 x i32> poison)
  %t.319 = urem <8 x i32> %t.246, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %t.320 = urem <8 x i32> %t.246, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %t.321 = mul nsw <8 x i32> %t.320, <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.322 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.323 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.324 = or <8 x i1> %t.322, %t.323
  %t.325 = select <8 x i1> %t.324, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.326 = srem <8 x i32> %x.318, %t.325
  %t.327 = icmp ne <8 x i32> %t.326, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.328 = xor <8 x i32> %t.326, %t.325
  %t.329 = icmp slt <8 x i32> %t.328, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.330 = and <8 x i1> %t.327, %t.329
  %t.331 = select <8 x i1> %t.330, <8 x i32> %t.325, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.332 = add <8 x i32> %t.326, %t.331
  %t.333 = urem <8 x i32> %t.246, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %t.334 = mul nsw <8 x i32> %t.333, <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.335 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.336 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.337 = or <8 x i1> %t.335, %t.336
  %t.338 = select <8 x i1> %t.337, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.339 = srem <8 x i32> %x.318, %t.338
  %t.340 = icmp ne <8 x i32> %t.339, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.341 = xor <8 x i32> %t.339, %t.338
  %t.342 = icmp slt <8 x i32> %t.341, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.343 = and <8 x i1> %t.340, %t.342
  %t.344 = select <8 x i1> %t.343, <8 x i32> %t.338, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.345 = add <8 x i32> %t.339, %t.344
  %t.346 = add nsw <8 x i32> %t.334, %t.345
  %t.347 = urem <8 x i32> %t.246, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %t.348 = urem <8 x i32> %t.246, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %t.349 = mul nsw <8 x i32> %t.348, <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.350 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.351 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.352 = or <8 x i1> %t.350, %t.351
  %t.353 = select <8 x i1> %t.352, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.354 = srem <8 x i32> %x.318, %t.353
  %t.355 = icmp ne <8 x i32> %t.354, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.356 = xor <8 x i32> %t.354, %t.353
  %t.357 = icmp slt <8 x i32> %t.356, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.358 = and <8 x i1> %t.355, %t.357
  %t.359 = select <8 x i1> %t.358, <8 x i32> %t.353, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.360 = add <8 x i32> %t.354, %t.359
  %t.361 = urem <8 x i32> %t.246, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %t.362 = urem <8 x i32> %t.246, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %t.363 = mul nsw <8 x i32> %t.362, <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.364 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.365 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.366 = or <8 x i1> %t.364, %t.365
  %t.367 = select <8 x i1> %t.366, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.368 = srem <8 x i32> %x.318, %t.367
  %t.369 = icmp ne <8 x i32> %t.368, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.370 = xor <8 x i32> %t.368, %t.367
  %t.371 = icmp slt <8 x i32> %t.370, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.372 = and <8 x i1> %t.369, %t.371
  %t.373 = select <8 x i1> %t.372, <8 x i32> %t.367, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.374 = add <8 x i32> %t.368, %t.373
  %t.375 = urem <8 x i32> %t.246, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %t.376 = mul nsw <8 x i32> %t.375, <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.377 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.378 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.379 = or <8 x i1> %t.377, %t.378
  %t.380 = select <8 x i1> %t.379, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.381 = srem <8 x i32> %x.318, %t.380
  %t.382 = icmp ne <8 x i32> %t.381, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.383 = xor <8 x i32> %t.381, %t.380
  %t.384 = icmp slt <8 x i32> %t.383, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.385 = and <8 x i1> %t.382, %t.384
  %t.386 = select <8 x i1> %t.385, <8 x i32> %t.380, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.387 = add <8 x i32> %t.381, %t.386
  %t.388 = add nsw <8 x i32> %t.376, %t.387
  %t.389 = urem <8 x i32> %t.246, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %t.390 = urem <8 x i32> %t.246, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %t.391 = mul nsw <8 x i32> %t.390, <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.392 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.393 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.394 = or <8 x i1> %t.392, %t.393
  %t.395 = select <8 x i1> %t.394, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.396 = srem <8 x i32> %x.318, %t.395
  %t.397 = icmp ne <8 x i32> %t.396, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.398 = xor <8 x i32> %t.396, %t.395
  %t.399 = icmp slt <8 x i32> %t.398, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.400 = and <8 x i1> %t.397, %t.399
  %t.401 = select <8 x i1> %t.400, <8 x i32> %t.395, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.402 = add <8 x i32> %t.396, %t.401
  %t.403 = urem <8 x i32> %t.246, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %t.404 = mul nsw <8 x i32> %t.403, <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.405 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.406 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.407 = or <8 x i1> %t.405, %t.406
  %t.408 = select <8 x i1> %t.407, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.409 = srem <8 x i32> %x.318, %t.408
  %t.410 = icmp ne <8 x i32> %t.409, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.411 = xor <8 x i32> %t.409, %t.408
  %t.412 = icmp slt <8 x i32> %t.411, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.413 = and <8 x i1> %t.410, %t.412
  %t.414 = select <8 x i1> %t.413, <8 x i32> %t.408, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.415 = add <8 x i32> %t.409, %t.414
  %t.416 = add nsw <8 x i32> %t.404, %t.415
  %t.417 = urem <8 x i32> %t.246, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %t.418 = mul nsw <8 x i32> %t.417, <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.419 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.420 = icmp eq <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %t.421 = or <8 x i1> %t.419, %t.420
  %t.422 = select <8 x i1> %t.421, <8 x i32> <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>, <8 x i32> <i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t.423 = srem <8 x i32> %x.318, %t.422
  %t.424 = icmp ne <8 x i32> %t.423, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.425 = xor <8 x i32> %t.423, %t.422
  %t.426 = icmp slt <8 x i32> %t.425, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.427 = and <8 x i1> %t.424, %t.426
  %t.428 = select <8 x i1> %t.427, <8 x i32> %t.422, <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>
  %t.429 = add <8 x i32> %t.423, %t.428
  %t.430 = add nsw <8 x i32> %t.418, %t.429
  %places.431 = getelementptr inbounds i64, ptr @table.10, <8 x i32> %t.430
  %PLANE.432 = call <8 x i64> @llvm.masked.gather.v8i64.v8p0(<8 x ptr> %places.431, i32 8, <8 x i1> %mask.238, <8 x i64> poison)
  %t.433 = sext i32 %workgroup_id.19 to i64
  %index.434 = mul i64 %t.433, 64
  %index.435 = add i64 %index.434, %t.29
  %place.436 = getelementptr i64, ptr %buffer2, i64 %index.435
  call void @llvm.masked.store.v8i64.p0(<8 x i64> %PLANE.432, ptr %place.436, i32 8, <8 x i1> %mask.238)
  br label %row_end.233
row_end.233:
  %t.437 = zext i1 true to i32
  %t.438 = add nuw i32 %workgroup_id.19, %t.437
  %t.439 = icmp eq i32 %t.438, %gx
  %t.440 = select i1 %t.439, i32 0, i32 %t.438
  store i32 %t.440, ptr %workgroup_id.7
  %t.441 = zext i1 %t.439 to i32
  %t.442 = add nuw i32 %workgroup_id.20, %t.441
  %t.443 = icmp eq i32 %t.442, %gy
  %t.444 = select i1 %t.443, i32 0, i32 %t.442
  store i32 %t.444, ptr %workgroup_id.9
  %t.445 = zext i1 %t.443 to i32
  %t.446 = add nuw i32 %workgroup_id.21, %t.445
  %t.447 = icmp eq i32 %t.446, %gz
  %t.448 = select i1 %t.447, i32 0, i32 %t.446
  store i32 %t.448, ptr %workgroup_id.11
  br label %workgroup_next.15
workgroup_next.15:
  %workgroup.17.next = add nsw i64 %workgroup.17, 1
  br label %workgroup_head.13
workgroup_end.16:
  ret void
}

declare <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr>, i32, <8 x i1>, <8 x float>)
declare <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr>, i32, <8 x i1>, <8 x i32>)
declare <8 x i64> @llvm.masked.gather.v8i64.v8p0(<8 x ptr>, i32, <8 x i1>, <8 x i64>)
declare <8 x i32> @llvm.masked.load.v8i32.p0(ptr, i32, <8 x i1>, <8 x i32>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)
declare void @llvm.masked.store.v8i64.p0(<8 x i64>, ptr, i32, <8 x i1>)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
@table.10 = private unnamed_addr constant [6 x i64] [i64 0, i64 1, i64 2, i64 3, i64 4, i64 5]
@table.2 = private unnamed_addr constant [3 x i32] [i32 1, i32 0, i32 1]
@table.6 = private unnamed_addr constant [3 x float] [float 0x3FD0000000000000, float 0x3FE0000000000000, float 0xBFF8000000000000]
