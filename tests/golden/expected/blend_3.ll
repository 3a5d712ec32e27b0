; kernel blend
@gpucore_scratch_nbytes = constant i64 0

define void @gpucore_entry(ptr %buffers, ptr %scalars, ptr %scratch, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) nounwind {
entry:
  %t.1 = getelementptr ptr, ptr %buffers, i64 0
  %x.2 = load ptr, ptr %t.1
  %t.3 = getelementptr ptr, ptr %buffers, i64 1
  %y.4 = load ptr, ptr %t.3
  %t.5 = getelementptr i8, ptr %scalars, i64 0
  %x_shape_0_.6 = load i32, ptr %t.5
  %t.7 = getelementptr i8, ptr %scalars, i64 4
  %y_shape_0_.8 = load i32, ptr %t.7
  %t.9 = getelementptr i8, ptr %scalars, i64 8
  %how_weight.10 = load float, ptr %t.9
  %t.11 = getelementptr i8, ptr %scalars, i64 12
  %how_offset.12 = load i32, ptr %t.11
  %t.13 = getelementptr i8, ptr %scalars, i64 16
  %how_invert.14 = load i32, ptr %t.13
  %t.15 = icmp ne i32 %how_invert.14, 0
  %t.16 = getelementptr i8, ptr %scalars, i64 20
  %clamp.17 = load i32, ptr %t.16
  %t.18 = icmp ne i32 %clamp.17, 0
  %t.19 = getelementptr i8, ptr %scalars, i64 24
  %x_last.20 = load i32, ptr %t.19
  call void @gpucore_workgroups(ptr %x.2, ptr %y.4, i32 %x_shape_0_.6, i32 %y_shape_0_.8, float %how_weight.10, i32 %how_offset.12, i1 %t.15, i1 %t.18, i32 %x_last.20, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last)
  ret void
}

define internal void @gpucore_workgroups(ptr noalias nonnull align 64 %buffer0, ptr noalias nonnull align 64 %buffer1, i32 %param0, i32 %param1, float %param2, i32 %param3, i1 %param4, i1 %param5, i32 %param6, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) noinline nounwind {
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
  %t.25 = sext i32 %param1 to i64
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
  %t.48 = zext i32 %param6 to i64
  %t.49 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.50 = shufflevector <8 x i32> %t.49, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.51 = add <8 x i32> %t.44, %t.50
  %t.52 = sub nsw i32 %param0, 1
  %t.53 = insertelement <8 x i32> poison, i32 %t.52, i32 0
  %t.54 = shufflevector <8 x i32> %t.53, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.55 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.51, <8 x i32> %t.54)
  %t.56 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.57 = shufflevector <8 x i32> %t.56, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.58 = add <8 x i32> %t.44, %t.57
  %t.59 = sub nsw i32 %param0, 1
  %t.60 = insertelement <8 x i32> poison, i32 %t.59, i32 0
  %t.61 = shufflevector <8 x i32> %t.60, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.62 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.58, <8 x i32> %t.61)
  %t.63 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.64 = shufflevector <8 x i32> %t.63, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.65 = add <8 x i32> %t.44, %t.64
  %t.66 = sub nsw i32 %param0, 1
  %t.67 = insertelement <8 x i32> poison, i32 %t.66, i32 0
  %t.68 = shufflevector <8 x i32> %t.67, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.69 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.65, <8 x i32> %t.68)
  %t.70 = insertelement <8 x i32> poison, i32 %param6, i32 0
  %t.71 = shufflevector <8 x i32> %t.70, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.72 = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %t.69, <8 x i32> %t.71)
  %t.73 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.74 = shufflevector <8 x i32> %t.73, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.75 = add <8 x i32> %t.44, %t.74
  %t.76 = sub nsw i32 %param0, 1
  %t.77 = insertelement <8 x i32> poison, i32 %t.76, i32 0
  %t.78 = shufflevector <8 x i32> %t.77, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.79 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.75, <8 x i32> %t.78)
  %t.80 = insertelement <8 x i32> poison, i32 %param6, i32 0
  %t.81 = shufflevector <8 x i32> %t.80, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.82 = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %t.79, <8 x i32> %t.81)
  %t.83 = sext i32 %workgroup_id.19 to i64
  %index.84 = mul i64 %t.83, 64
  %index.85 = add i64 %index.84, 63
  %index.86 = add i64 %index.84, %local_x.35
  %index.87 = add i64 %index.84, %local_x.35
  %t.88 = sext i32 %param3 to i64
  %index.89 = add i64 %index.84, %t.88
  %index.90 = add i64 %index.85, %t.88
  %index.91 = add i64 %index.86, %t.88
  %index.92 = add i64 %index.87, %t.88
  %t.93 = sext i32 %param0 to i64
  %index.94 = sub i64 %t.93, 1
  %t.95 = icmp sge i64 %index.89, -2147483648
  %t.96 = icmp sle i64 %index.90, %index.94
  %t.97 = icmp sge i64 %index.89, 0
  %t.98 = zext i32 %param6 to i64
  %t.99 = icmp sle i64 %index.90, %t.98
  %t.100 = and i1 %t.95, %t.96
  %t.101 = and i1 %t.100, %t.97
  %t.102 = and i1 %t.101, %t.99
  br i1 %t.102, label %in_range.103, label %clamped.104
in_range.103:
  %place.106 = getelementptr inbounds float, ptr %buffer0, i64 %index.91
  %x.107 = load <8 x float>, ptr %place.106, align 4
  br label %loaded.105
clamped.104:
  %t.108 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.109 = shufflevector <8 x i32> %t.108, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.110 = add <8 x i32> %t.44, %t.109
  %t.111 = sub nsw i32 %param0, 1
  %t.112 = insertelement <8 x i32> poison, i32 %t.111, i32 0
  %t.113 = shufflevector <8 x i32> %t.112, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.114 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.110, <8 x i32> %t.113)
  %t.115 = insertelement <8 x i32> poison, i32 %param6, i32 0
  %t.116 = shufflevector <8 x i32> %t.115, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.117 = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %t.114, <8 x i32> %t.116)
  %t.118 = zext <8 x i32> %t.117 to <8 x i64>
  %places.119 = getelementptr inbounds float, ptr %buffer0, <8 x i64> %t.118
  %x.120 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places.119, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> poison)
  br label %loaded.105
loaded.105:
  %x.121 = phi <8 x float> [ %x.107, %in_range.103 ], [ %x.120, %clamped.104 ]
  %t.122 = bitcast <8 x float> %x.121 to <8 x i32>
  %t.123 = sub <8 x i32> %t.122, <i32 8388608, i32 8388608, i32 8388608, i32 8388608, i32 8388608, i32 8388608, i32 8388608, i32 8388608>
  %t.124 = icmp ult <8 x i32> %t.123, <i32 2130706432, i32 2130706432, i32 2130706432, i32 2130706432, i32 2130706432, i32 2130706432, i32 2130706432, i32 2130706432>
  %t.125 = call <8 x float> @llvm.fabs.v8f32(<8 x float> <float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000>)
  %t.126 = fcmp olt <8 x float> %t.125, <float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000>
  %t.127 = and <8 x i1> %t.124, %t.126
  %t.128 = xor <8 x i1> %t.127, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.129 = bitcast <8 x float> %x.121 to <8 x i32>
  %t.130 = sub <8 x i32> %t.129, <i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283>
  %t.131 = and <8 x i32> %t.130, <i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607>
  %t.132 = add <8 x i32> %t.131, <i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283>
  %t.133 = bitcast <8 x i32> %t.132 to <8 x float>
  %t.134 = fsub contract <8 x float> %t.133, <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.135 = bitcast <8 x i32> %t.130 to <8 x i32>
  %t.136 = ashr <8 x i32> %t.135, <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>
  %t.137 = sitofp <8 x i32> %t.136 to <8 x float>
  %t.138 = fpext <8 x float> %t.134 to <8 x double>
  %t.139 = fmul contract <8 x double> %t.138, <double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404>
  %t.140 = fadd contract <8 x double> %t.139, <double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3>
  %t.141 = fmul contract <8 x double> %t.140, %t.138
  %t.142 = fadd contract <8 x double> %t.141, <double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161>
  %t.143 = fmul contract <8 x double> %t.142, %t.138
  %t.144 = fadd contract <8 x double> %t.143, <double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036>
  %t.145 = fmul contract <8 x double> %t.144, %t.138
  %t.146 = fadd contract <8 x double> %t.145, <double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED>
  %t.147 = fmul contract <8 x double> %t.146, %t.138
  %t.148 = fadd contract <8 x double> %t.147, <double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD>
  %t.149 = fmul contract <8 x double> %t.148, %t.138
  %t.150 = fadd contract <8 x double> %t.149, <double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3>
  %t.151 = fmul contract <8 x double> %t.150, %t.138
  %t.152 = fadd contract <8 x double> %t.151, <double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B>
  %t.153 = fmul contract <8 x double> %t.152, %t.138
  %t.154 = fadd contract <8 x double> %t.153, <double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033>
  %t.155 = fmul contract <8 x double> %t.154, %t.138
  %t.156 = fadd contract <8 x double> %t.155, <double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1>
  %t.157 = fmul contract <8 x double> %t.156, %t.138
  %t.158 = fadd contract <8 x double> %t.157, <double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80>
  %t.159 = fmul contract <8 x double> %t.158, %t.138
  %t.160 = fadd contract <8 x double> %t.159, <double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107>
  %t.161 = fmul contract <8 x double> %t.160, %t.138
  %t.162 = fadd contract <8 x double> %t.161, <double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74>
  %t.163 = fmul contract <8 x double> %t.162, %t.138
  %t.164 = fadd contract <8 x double> %t.163, <double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7>
  %t.165 = fmul contract <8 x double> %t.138, %t.164
  %t.166 = fpext <8 x float> %t.137 to <8 x double>
  %t.167 = fadd contract <8 x double> %t.165, %t.166
  %t.168 = fpext <8 x float> <float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000> to <8 x double>
  %t.169 = fmul contract <8 x double> %t.168, %t.167
  %t.170 = fcmp olt <8 x double> <double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000>, %t.169
  %t.171 = select <8 x i1> %t.170, <8 x double> <double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000>, <8 x double> %t.169
  %t.172 = fcmp ogt <8 x double> <double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000>, %t.171
  %t.173 = select <8 x i1> %t.172, <8 x double> <double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000>, <8 x double> %t.171
  %t.174 = fadd contract <8 x double> %t.173, <double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000>
  %t.175 = fsub contract <8 x double> %t.174, <double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000>
  %t.176 = fsub contract <8 x double> %t.173, %t.175
  %t.177 = fmul contract <8 x double> %t.176, <double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF>
  %t.178 = fptrunc <8 x double> %t.177 to <8 x float>
  %t.179 = fmul contract <8 x float> %t.178, %t.178
  %t.180 = fmul contract <8 x float> %t.178, <float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000>
  %t.181 = fadd contract <8 x float> %t.180, <float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000>
  %t.182 = fmul contract <8 x float> %t.181, %t.178
  %t.183 = fadd contract <8 x float> %t.182, <float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000>
  %t.184 = fmul contract <8 x float> %t.183, %t.178
  %t.185 = fadd contract <8 x float> %t.184, <float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000>
  %t.186 = fmul contract <8 x float> %t.185, %t.178
  %t.187 = fadd contract <8 x float> %t.186, <float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000>
  %t.188 = fmul contract <8 x float> %t.179, %t.187
  %t.189 = fadd contract <8 x float> %t.188, %t.178
  %t.190 = fadd contract <8 x float> %t.189, <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.191 = fptrunc <8 x double> %t.175 to <8 x float>
  %t.192 = fadd contract <8 x float> %t.191, <float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000>
  %t.193 = bitcast <8 x float> %t.192 to <8 x i32>
  %t.194 = sub <8 x i32> %t.193, <i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248>
  %t.195 = lshr <8 x i32> %t.194, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.196 = sub <8 x i32> %t.194, %t.195
  %t.197 = sub <8 x i32> %t.195, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.198 = shl <8 x i32> %t.197, <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>
  %t.199 = bitcast <8 x i32> %t.198 to <8 x float>
  %t.200 = sub <8 x i32> %t.196, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.201 = shl <8 x i32> %t.200, <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>
  %t.202 = bitcast <8 x i32> %t.201 to <8 x float>
  %t.203 = fmul contract <8 x float> %t.190, %t.199
  %t.204 = fmul contract <8 x float> %t.203, %t.202
  %t.205 = bitcast <8 x i1> %t.128 to i8
  %t.208 = icmp ne i8 %t.205, 0
  %t.209 = call i1 @llvm.expect.i1(i1 %t.208, i1 false)
  br i1 %t.209, label %rare.206, label %usual.207
rare.206:
  %t.210 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %x.121)
  %t.211 = fcmp olt <8 x float> %t.210, <float 0x3810000000000000, float 0x3810000000000000, float 0x3810000000000000, float 0x3810000000000000, float 0x3810000000000000, float 0x3810000000000000, float 0x3810000000000000, float 0x3810000000000000>
  %t.212 = fmul contract <8 x float> %t.210, <float 0x4160000000000000, float 0x4160000000000000, float 0x4160000000000000, float 0x4160000000000000, float 0x4160000000000000, float 0x4160000000000000, float 0x4160000000000000, float 0x4160000000000000>
  %t.213 = select <8 x i1> %t.211, <8 x float> %t.212, <8 x float> %t.210
  %t.214 = bitcast <8 x float> %t.213 to <8 x i32>
  %t.215 = sub <8 x i32> %t.214, <i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283>
  %t.216 = and <8 x i32> %t.215, <i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607>
  %t.217 = add <8 x i32> %t.216, <i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283>
  %t.218 = bitcast <8 x i32> %t.217 to <8 x float>
  %t.219 = fsub contract <8 x float> %t.218, <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.220 = bitcast <8 x i32> %t.215 to <8 x i32>
  %t.221 = ashr <8 x i32> %t.220, <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>
  %t.222 = sitofp <8 x i32> %t.221 to <8 x float>
  %t.223 = select <8 x i1> %t.211, <8 x float> <float 0x4037000000000000, float 0x4037000000000000, float 0x4037000000000000, float 0x4037000000000000, float 0x4037000000000000, float 0x4037000000000000, float 0x4037000000000000, float 0x4037000000000000>, <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.224 = fsub contract <8 x float> %t.222, %t.223
  %t.225 = fpext <8 x float> %t.219 to <8 x double>
  %t.226 = fmul contract <8 x double> %t.225, <double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404>
  %t.227 = fadd contract <8 x double> %t.226, <double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3>
  %t.228 = fmul contract <8 x double> %t.227, %t.225
  %t.229 = fadd contract <8 x double> %t.228, <double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161>
  %t.230 = fmul contract <8 x double> %t.229, %t.225
  %t.231 = fadd contract <8 x double> %t.230, <double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036>
  %t.232 = fmul contract <8 x double> %t.231, %t.225
  %t.233 = fadd contract <8 x double> %t.232, <double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED>
  %t.234 = fmul contract <8 x double> %t.233, %t.225
  %t.235 = fadd contract <8 x double> %t.234, <double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD>
  %t.236 = fmul contract <8 x double> %t.235, %t.225
  %t.237 = fadd contract <8 x double> %t.236, <double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3>
  %t.238 = fmul contract <8 x double> %t.237, %t.225
  %t.239 = fadd contract <8 x double> %t.238, <double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B>
  %t.240 = fmul contract <8 x double> %t.239, %t.225
  %t.241 = fadd contract <8 x double> %t.240, <double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033>
  %t.242 = fmul contract <8 x double> %t.241, %t.225
  %t.243 = fadd contract <8 x double> %t.242, <double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1>
  %t.244 = fmul contract <8 x double> %t.243, %t.225
  %t.245 = fadd contract <8 x double> %t.244, <double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80>
  %t.246 = fmul contract <8 x double> %t.245, %t.225
  %t.247 = fadd contract <8 x double> %t.246, <double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107>
  %t.248 = fmul contract <8 x double> %t.247, %t.225
  %t.249 = fadd contract <8 x double> %t.248, <double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74>
  %t.250 = fmul contract <8 x double> %t.249, %t.225
  %t.251 = fadd contract <8 x double> %t.250, <double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7>
  %t.252 = fmul contract <8 x double> %t.225, %t.251
  %t.253 = fpext <8 x float> %t.224 to <8 x double>
  %t.254 = fadd contract <8 x double> %t.252, %t.253
  %t.255 = fcmp oeq <8 x float> %t.210, <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.256 = fpext <8 x float> %t.210 to <8 x double>
  %t.257 = select <8 x i1> %t.255, <8 x double> <double 0xFFF0000000000000, double 0xFFF0000000000000, double 0xFFF0000000000000, double 0xFFF0000000000000, double 0xFFF0000000000000, double 0xFFF0000000000000, double 0xFFF0000000000000, double 0xFFF0000000000000>, <8 x double> %t.256
  %t.258 = fcmp ogt <8 x float> %t.210, <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.259 = fcmp olt <8 x float> %t.210, <float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000>
  %t.260 = and <8 x i1> %t.258, %t.259
  %t.261 = select <8 x i1> %t.260, <8 x double> %t.254, <8 x double> %t.257
  %t.262 = fpext <8 x float> <float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000> to <8 x double>
  %t.263 = fmul contract <8 x double> %t.262, %t.261
  %t.264 = fcmp olt <8 x double> <double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000>, %t.263
  %t.265 = select <8 x i1> %t.264, <8 x double> <double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000>, <8 x double> %t.263
  %t.266 = fcmp ogt <8 x double> <double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000>, %t.265
  %t.267 = select <8 x i1> %t.266, <8 x double> <double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000>, <8 x double> %t.265
  %t.268 = fadd contract <8 x double> %t.267, <double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000>
  %t.269 = fsub contract <8 x double> %t.268, <double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000>
  %t.270 = fsub contract <8 x double> %t.267, %t.269
  %t.271 = fmul contract <8 x double> %t.270, <double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF>
  %t.272 = fptrunc <8 x double> %t.271 to <8 x float>
  %t.273 = fmul contract <8 x float> %t.272, %t.272
  %t.274 = fmul contract <8 x float> %t.272, <float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000>
  %t.275 = fadd contract <8 x float> %t.274, <float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000>
  %t.276 = fmul contract <8 x float> %t.275, %t.272
  %t.277 = fadd contract <8 x float> %t.276, <float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000>
  %t.278 = fmul contract <8 x float> %t.277, %t.272
  %t.279 = fadd contract <8 x float> %t.278, <float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000>
  %t.280 = fmul contract <8 x float> %t.279, %t.272
  %t.281 = fadd contract <8 x float> %t.280, <float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000>
  %t.282 = fmul contract <8 x float> %t.273, %t.281
  %t.283 = fadd contract <8 x float> %t.282, %t.272
  %t.284 = fadd contract <8 x float> %t.283, <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.285 = fptrunc <8 x double> %t.269 to <8 x float>
  %t.286 = fadd contract <8 x float> %t.285, <float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000>
  %t.287 = bitcast <8 x float> %t.286 to <8 x i32>
  %t.288 = sub <8 x i32> %t.287, <i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248>
  %t.289 = lshr <8 x i32> %t.288, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.290 = sub <8 x i32> %t.288, %t.289
  %t.291 = sub <8 x i32> %t.289, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.292 = shl <8 x i32> %t.291, <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>
  %t.293 = bitcast <8 x i32> %t.292 to <8 x float>
  %t.294 = sub <8 x i32> %t.290, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.295 = shl <8 x i32> %t.294, <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>
  %t.296 = bitcast <8 x i32> %t.295 to <8 x float>
  %t.297 = fmul contract <8 x float> %t.284, %t.293
  %t.298 = fmul contract <8 x float> %t.297, %t.296
  %t.299 = fmul contract <8 x float> <float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000>, <float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000>
  %t.300 = call <8 x float> @llvm.trunc.v8f32(<8 x float> <float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000>)
  %t.301 = fcmp oeq <8 x float> %t.300, <float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000>
  %t.302 = call <8 x float> @llvm.trunc.v8f32(<8 x float> %t.299)
  %t.303 = fcmp oeq <8 x float> %t.302, %t.299
  %t.304 = xor <8 x i1> %t.303, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.305 = and <8 x i1> %t.301, %t.304
  %t.306 = call <8 x float> @llvm.copysign.v8f32(<8 x float> %t.298, <8 x float> %x.121)
  %t.307 = select <8 x i1> %t.305, <8 x float> %t.306, <8 x float> %t.298
  %t.308 = fcmp olt <8 x float> %x.121, <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.309 = fcmp ogt <8 x float> %x.121, <float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000>
  %t.310 = and <8 x i1> %t.308, %t.309
  %t.311 = xor <8 x i1> %t.301, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.312 = and <8 x i1> %t.310, %t.311
  %t.313 = fcmp oeq <8 x float> %x.121, <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.314 = fcmp oeq <8 x float> <float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000>, <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.315 = or <8 x i1> %t.313, %t.314
  %t.316 = fcmp oeq <8 x float> %x.121, <float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000>
  %t.317 = call <8 x float> @llvm.fabs.v8f32(<8 x float> <float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000>)
  %t.318 = fcmp oeq <8 x float> %t.317, <float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000>
  %t.319 = and <8 x i1> %t.316, %t.318
  %t.320 = or <8 x i1> %t.315, %t.319
  %t.321 = select <8 x i1> %t.312, <8 x float> <float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000>, <8 x float> %t.307
  %t.322 = select <8 x i1> %t.320, <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>, <8 x float> %t.321
  br label %usual.207
usual.207:
  %t.323 = phi <8 x float> [ %t.204, %loaded.105 ], [ %t.322, %rare.206 ]
  %t.324 = fsub contract <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>, %t.323
  %t.325 = insertelement <8 x float> poison, float %param2, i32 0
  %t.326 = shufflevector <8 x float> %t.325, <8 x float> poison, <8 x i32> zeroinitializer
  %t.327 = fsub contract <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>, %t.326
  %t.328 = fmul contract <8 x float> %t.323, %t.327
  %t.329 = fmul contract <8 x float> %t.324, %t.326
  %t.330 = fadd contract <8 x float> %t.328, %t.329
  %t.331 = insertelement <8 x float> poison, float %param2, i32 0
  %t.332 = shufflevector <8 x float> %t.331, <8 x float> poison, <8 x i32> zeroinitializer
  %t.333 = fmul contract <8 x float> %t.323, %t.332
  %t.334 = select i1 %param4, <8 x float> %t.330, <8 x float> %t.333
  %t.335 = sext i32 %workgroup_id.19 to i64
  %index.336 = mul i64 %t.335, 64
  %index.337 = add i64 %index.336, %local_x.35
  %t.338 = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %t.334, <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>)
  %t.339 = call <8 x float> @llvm.minnum.v8f32(<8 x float> %t.338, <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>)
  %t.340 = select i1 %param5, <8 x float> %t.339, <8 x float> %t.334
  %place.341 = getelementptr inbounds float, ptr %buffer1, i64 %index.337
  store <8 x float> %t.340, ptr %place.341, align 32 ; may stream
  br label %local_x_next.33
local_x_next.33:
  %local_x.35.next = add nsw i64 %local_x.35, 8
  br label %local_x_head.31
local_x_end.34:
  %t.344 = icmp sgt i64 %t.30, 0
  br i1 %t.344, label %last_gang.343, label %row_end.342
last_gang.343:
  %t.345 = insertelement <8 x i64> poison, i64 %t.30, i32 0
  %t.346 = shufflevector <8 x i64> %t.345, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask.347 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %t.346
  %t.348 = mul nsw i32 %workgroup_id.19, 64
  %local_id.349 = trunc i64 %t.29 to i32
  %t.350 = insertelement <8 x i32> poison, i32 %local_id.349, i32 0
  %t.351 = shufflevector <8 x i32> %t.350, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.352 = add nsw <8 x i32> %t.351, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.353 = insertelement <8 x i32> poison, i32 %t.348, i32 0
  %t.354 = shufflevector <8 x i32> %t.353, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.355 = add nsw <8 x i32> %t.354, %t.352
  %t.356 = sext i32 %workgroup_id.19 to i64
  %index.357 = mul i64 %t.356, 64
  %index.358 = add i64 %index.357, %t.29
  %t.359 = zext i32 %param6 to i64
  %t.360 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.361 = shufflevector <8 x i32> %t.360, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.362 = add <8 x i32> %t.355, %t.361
  %t.363 = sub nsw i32 %param0, 1
  %t.364 = insertelement <8 x i32> poison, i32 %t.363, i32 0
  %t.365 = shufflevector <8 x i32> %t.364, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.366 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.362, <8 x i32> %t.365)
  %t.367 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.368 = shufflevector <8 x i32> %t.367, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.369 = add <8 x i32> %t.355, %t.368
  %t.370 = sub nsw i32 %param0, 1
  %t.371 = insertelement <8 x i32> poison, i32 %t.370, i32 0
  %t.372 = shufflevector <8 x i32> %t.371, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.373 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.369, <8 x i32> %t.372)
  %t.374 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.375 = shufflevector <8 x i32> %t.374, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.376 = add <8 x i32> %t.355, %t.375
  %t.377 = sub nsw i32 %param0, 1
  %t.378 = insertelement <8 x i32> poison, i32 %t.377, i32 0
  %t.379 = shufflevector <8 x i32> %t.378, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.380 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.376, <8 x i32> %t.379)
  %t.381 = insertelement <8 x i32> poison, i32 %param6, i32 0
  %t.382 = shufflevector <8 x i32> %t.381, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.383 = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %t.380, <8 x i32> %t.382)
  %t.384 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.385 = shufflevector <8 x i32> %t.384, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.386 = add <8 x i32> %t.355, %t.385
  %t.387 = sub nsw i32 %param0, 1
  %t.388 = insertelement <8 x i32> poison, i32 %t.387, i32 0
  %t.389 = shufflevector <8 x i32> %t.388, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.390 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.386, <8 x i32> %t.389)
  %t.391 = insertelement <8 x i32> poison, i32 %param6, i32 0
  %t.392 = shufflevector <8 x i32> %t.391, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.393 = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %t.390, <8 x i32> %t.392)
  %t.394 = sext i32 %workgroup_id.19 to i64
  %index.395 = mul i64 %t.394, 64
  %index.396 = add i64 %index.395, 63
  %index.397 = add i64 %index.395, %t.29
  %index.398 = add i64 %index.395, %t.29
  %t.399 = sext i32 %param3 to i64
  %index.400 = add i64 %index.395, %t.399
  %index.401 = add i64 %index.396, %t.399
  %index.402 = add i64 %index.397, %t.399
  %index.403 = add i64 %index.398, %t.399
  %t.404 = sext i32 %param0 to i64
  %index.405 = sub i64 %t.404, 1
  %t.406 = icmp sge i64 %index.400, -2147483648
  %t.407 = icmp sle i64 %index.401, %index.405
  %t.408 = icmp sge i64 %index.400, 0
  %t.409 = zext i32 %param6 to i64
  %t.410 = icmp sle i64 %index.401, %t.409
  %t.411 = and i1 %t.406, %t.407
  %t.412 = and i1 %t.411, %t.408
  %t.413 = and i1 %t.412, %t.410
  br i1 %t.413, label %in_range.414, label %clamped.415
in_range.414:
  %place.417 = getelementptr float, ptr %buffer0, i64 %index.402
  %x.418 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %place.417, i32 4, <8 x i1> %mask.347, <8 x float> poison)
  br label %loaded.416
clamped.415:
  %t.419 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.420 = shufflevector <8 x i32> %t.419, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.421 = add <8 x i32> %t.355, %t.420
  %t.422 = sub nsw i32 %param0, 1
  %t.423 = insertelement <8 x i32> poison, i32 %t.422, i32 0
  %t.424 = shufflevector <8 x i32> %t.423, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.425 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.421, <8 x i32> %t.424)
  %t.426 = insertelement <8 x i32> poison, i32 %param6, i32 0
  %t.427 = shufflevector <8 x i32> %t.426, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.428 = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %t.425, <8 x i32> %t.427)
  %t.429 = zext <8 x i32> %t.428 to <8 x i64>
  %places.430 = getelementptr inbounds float, ptr %buffer0, <8 x i64> %t.429
  %x.431 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places.430, i32 4, <8 x i1> %mask.347, <8 x float> poison)
  br label %loaded.416
loaded.416:
  %x.432 = phi <8 x float> [ %x.418, %in_range.414 ], [ %x.431, %clamped.415 ]
  %t.433 = select <8 x i1> %mask.347, <8 x float> %x.432, <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.434 = bitcast <8 x float> %t.433 to <8 x i32>
  %t.435 = sub <8 x i32> %t.434, <i32 8388608, i32 8388608, i32 8388608, i32 8388608, i32 8388608, i32 8388608, i32 8388608, i32 8388608>
  %t.436 = icmp ult <8 x i32> %t.435, <i32 2130706432, i32 2130706432, i32 2130706432, i32 2130706432, i32 2130706432, i32 2130706432, i32 2130706432, i32 2130706432>
  %t.437 = call <8 x float> @llvm.fabs.v8f32(<8 x float> <float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000>)
  %t.438 = fcmp olt <8 x float> %t.437, <float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000>
  %t.439 = and <8 x i1> %t.436, %t.438
  %t.440 = xor <8 x i1> %t.439, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.441 = bitcast <8 x float> %t.433 to <8 x i32>
  %t.442 = sub <8 x i32> %t.441, <i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283>
  %t.443 = and <8 x i32> %t.442, <i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607>
  %t.444 = add <8 x i32> %t.443, <i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283>
  %t.445 = bitcast <8 x i32> %t.444 to <8 x float>
  %t.446 = fsub contract <8 x float> %t.445, <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.447 = bitcast <8 x i32> %t.442 to <8 x i32>
  %t.448 = ashr <8 x i32> %t.447, <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>
  %t.449 = sitofp <8 x i32> %t.448 to <8 x float>
  %t.450 = fpext <8 x float> %t.446 to <8 x double>
  %t.451 = fmul contract <8 x double> %t.450, <double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404>
  %t.452 = fadd contract <8 x double> %t.451, <double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3>
  %t.453 = fmul contract <8 x double> %t.452, %t.450
  %t.454 = fadd contract <8 x double> %t.453, <double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161>
  %t.455 = fmul contract <8 x double> %t.454, %t.450
  %t.456 = fadd contract <8 x double> %t.455, <double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036>
  %t.457 = fmul contract <8 x double> %t.456, %t.450
  %t.458 = fadd contract <8 x double> %t.457, <double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED>
  %t.459 = fmul contract <8 x double> %t.458, %t.450
  %t.460 = fadd contract <8 x double> %t.459, <double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD>
  %t.461 = fmul contract <8 x double> %t.460, %t.450
  %t.462 = fadd contract <8 x double> %t.461, <double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3>
  %t.463 = fmul contract <8 x double> %t.462, %t.450
  %t.464 = fadd contract <8 x double> %t.463, <double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B>
  %t.465 = fmul contract <8 x double> %t.464, %t.450
  %t.466 = fadd contract <8 x double> %t.465, <double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033>
  %t.467 = fmul contract <8 x double> %t.466, %t.450
  %t.468 = fadd contract <8 x double> %t.467, <double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1>
  %t.469 = fmul contract <8 x double> %t.468, %t.450
  %t.470 = fadd contract <8 x double> %t.469, <double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80>
  %t.471 = fmul contract <8 x double> %t.470, %t.450
  %t.472 = fadd contract <8 x double> %t.471, <double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107>
  %t.473 = fmul contract <8 x double> %t.472, %t.450
  %t.474 = fadd contract <8 x double> %t.473, <double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74>
  %t.475 = fmul contract <8 x double> %t.474, %t.450
  %t.476 = fadd contract <8 x double> %t.475, <double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7>
  %t.477 = fmul contract <8 x double> %t.450, %t.476
  %t.478 = fpext <8 x float> %t.449 to <8 x double>
  %t.479 = fadd contract <8 x double> %t.477, %t.478
  %t.480 = fpext <8 x float> <float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000> to <8 x double>
  %t.481 = fmul contract <8 x double> %t.480, %t.479
  %t.482 = fcmp olt <8 x double> <double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000>, %t.481
  %t.483 = select <8 x i1> %t.482, <8 x double> <double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000>, <8 x double> %t.481
  %t.484 = fcmp ogt <8 x double> <double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000>, %t.483
  %t.485 = select <8 x i1> %t.484, <8 x double> <double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000>, <8 x double> %t.483
  %t.486 = fadd contract <8 x double> %t.485, <double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000>
  %t.487 = fsub contract <8 x double> %t.486, <double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000>
  %t.488 = fsub contract <8 x double> %t.485, %t.487
  %t.489 = fmul contract <8 x double> %t.488, <double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF>
  %t.490 = fptrunc <8 x double> %t.489 to <8 x float>
  %t.491 = fmul contract <8 x float> %t.490, %t.490
  %t.492 = fmul contract <8 x float> %t.490, <float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000>
  %t.493 = fadd contract <8 x float> %t.492, <float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000>
  %t.494 = fmul contract <8 x float> %t.493, %t.490
  %t.495 = fadd contract <8 x float> %t.494, <float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000>
  %t.496 = fmul contract <8 x float> %t.495, %t.490
  %t.497 = fadd contract <8 x float> %t.496, <float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000>
  %t.498 = fmul contract <8 x float> %t.497, %t.490
  %t.499 = fadd contract <8 x float> %t.498, <float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000>
  %t.500 = fmul contract <8 x float> %t.491, %t.499
  %t.501 = fadd contract <8 x float> %t.500, %t.490
  %t.502 = fadd contract <8 x float> %t.501, <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.503 = fptrunc <8 x double> %t.487 to <8 x float>
  %t.504 = fadd contract <8 x float> %t.503, <float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000>
  %t.505 = bitcast <8 x float> %t.504 to <8 x i32>
  %t.506 = sub <8 x i32> %t.505, <i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248>
  %t.507 = lshr <8 x i32> %t.506, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.508 = sub <8 x i32> %t.506, %t.507
  %t.509 = sub <8 x i32> %t.507, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.510 = shl <8 x i32> %t.509, <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>
  %t.511 = bitcast <8 x i32> %t.510 to <8 x float>
  %t.512 = sub <8 x i32> %t.508, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.513 = shl <8 x i32> %t.512, <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>
  %t.514 = bitcast <8 x i32> %t.513 to <8 x float>
  %t.515 = fmul contract <8 x float> %t.502, %t.511
  %t.516 = fmul contract <8 x float> %t.515, %t.514
  %t.517 = bitcast <8 x i1> %t.440 to i8
  %t.520 = icmp ne i8 %t.517, 0
  %t.521 = call i1 @llvm.expect.i1(i1 %t.520, i1 false)
  br i1 %t.521, label %rare.518, label %usual.519
rare.518:
  %t.522 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %t.433)
  %t.523 = fcmp olt <8 x float> %t.522, <float 0x3810000000000000, float 0x3810000000000000, float 0x3810000000000000, float 0x3810000000000000, float 0x3810000000000000, float 0x3810000000000000, float 0x3810000000000000, float 0x3810000000000000>
  %t.524 = fmul contract <8 x float> %t.522, <float 0x4160000000000000, float 0x4160000000000000, float 0x4160000000000000, float 0x4160000000000000, float 0x4160000000000000, float 0x4160000000000000, float 0x4160000000000000, float 0x4160000000000000>
  %t.525 = select <8 x i1> %t.523, <8 x float> %t.524, <8 x float> %t.522
  %t.526 = bitcast <8 x float> %t.525 to <8 x i32>
  %t.527 = sub <8 x i32> %t.526, <i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283>
  %t.528 = and <8 x i32> %t.527, <i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607>
  %t.529 = add <8 x i32> %t.528, <i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283>
  %t.530 = bitcast <8 x i32> %t.529 to <8 x float>
  %t.531 = fsub contract <8 x float> %t.530, <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.532 = bitcast <8 x i32> %t.527 to <8 x i32>
  %t.533 = ashr <8 x i32> %t.532, <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>
  %t.534 = sitofp <8 x i32> %t.533 to <8 x float>
  %t.535 = select <8 x i1> %t.523, <8 x float> <float 0x4037000000000000, float 0x4037000000000000, float 0x4037000000000000, float 0x4037000000000000, float 0x4037000000000000, float 0x4037000000000000, float 0x4037000000000000, float 0x4037000000000000>, <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.536 = fsub contract <8 x float> %t.534, %t.535
  %t.537 = fpext <8 x float> %t.531 to <8 x double>
  %t.538 = fmul contract <8 x double> %t.537, <double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404>
  %t.539 = fadd contract <8 x double> %t.538, <double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3>
  %t.540 = fmul contract <8 x double> %t.539, %t.537
  %t.541 = fadd contract <8 x double> %t.540, <double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161>
  %t.542 = fmul contract <8 x double> %t.541, %t.537
  %t.543 = fadd contract <8 x double> %t.542, <double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036>
  %t.544 = fmul contract <8 x double> %t.543, %t.537
  %t.545 = fadd contract <8 x double> %t.544, <double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED>
  %t.546 = fmul contract <8 x double> %t.545, %t.537
  %t.547 = fadd contract <8 x double> %t.546, <double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD>
  %t.548 = fmul contract <8 x double> %t.547, %t.537
  %t.549 = fadd contract <8 x double> %t.548, <double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3>
  %t.550 = fmul contract <8 x double> %t.549, %t.537
  %t.551 = fadd contract <8 x double> %t.550, <double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B>
  %t.552 = fmul contract <8 x double> %t.551, %t.537
  %t.553 = fadd contract <8 x double> %t.552, <double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033>
  %t.554 = fmul contract <8 x double> %t.553, %t.537
  %t.555 = fadd contract <8 x double> %t.554, <double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1>
  %t.556 = fmul contract <8 x double> %t.555, %t.537
  %t.557 = fadd contract <8 x double> %t.556, <double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80>
  %t.558 = fmul contract <8 x double> %t.557, %t.537
  %t.559 = fadd contract <8 x double> %t.558, <double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107>
  %t.560 = fmul contract <8 x double> %t.559, %t.537
  %t.561 = fadd contract <8 x double> %t.560, <double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74>
  %t.562 = fmul contract <8 x double> %t.561, %t.537
  %t.563 = fadd contract <8 x double> %t.562, <double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7>
  %t.564 = fmul contract <8 x double> %t.537, %t.563
  %t.565 = fpext <8 x float> %t.536 to <8 x double>
  %t.566 = fadd contract <8 x double> %t.564, %t.565
  %t.567 = fcmp oeq <8 x float> %t.522, <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.568 = fpext <8 x float> %t.522 to <8 x double>
  %t.569 = select <8 x i1> %t.567, <8 x double> <double 0xFFF0000000000000, double 0xFFF0000000000000, double 0xFFF0000000000000, double 0xFFF0000000000000, double 0xFFF0000000000000, double 0xFFF0000000000000, double 0xFFF0000000000000, double 0xFFF0000000000000>, <8 x double> %t.568
  %t.570 = fcmp ogt <8 x float> %t.522, <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.571 = fcmp olt <8 x float> %t.522, <float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000>
  %t.572 = and <8 x i1> %t.570, %t.571
  %t.573 = select <8 x i1> %t.572, <8 x double> %t.566, <8 x double> %t.569
  %t.574 = fpext <8 x float> <float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000> to <8 x double>
  %t.575 = fmul contract <8 x double> %t.574, %t.573
  %t.576 = fcmp olt <8 x double> <double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000>, %t.575
  %t.577 = select <8 x i1> %t.576, <8 x double> <double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000>, <8 x double> %t.575
  %t.578 = fcmp ogt <8 x double> <double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000>, %t.577
  %t.579 = select <8 x i1> %t.578, <8 x double> <double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000>, <8 x double> %t.577
  %t.580 = fadd contract <8 x double> %t.579, <double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000>
  %t.581 = fsub contract <8 x double> %t.580, <double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000>
  %t.582 = fsub contract <8 x double> %t.579, %t.581
  %t.583 = fmul contract <8 x double> %t.582, <double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF>
  %t.584 = fptrunc <8 x double> %t.583 to <8 x float>
  %t.585 = fmul contract <8 x float> %t.584, %t.584
  %t.586 = fmul contract <8 x float> %t.584, <float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000>
  %t.587 = fadd contract <8 x float> %t.586, <float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000>
  %t.588 = fmul contract <8 x float> %t.587, %t.584
  %t.589 = fadd contract <8 x float> %t.588, <float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000>
  %t.590 = fmul contract <8 x float> %t.589, %t.584
  %t.591 = fadd contract <8 x float> %t.590, <float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000>
  %t.592 = fmul contract <8 x float> %t.591, %t.584
  %t.593 = fadd contract <8 x float> %t.592, <float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000>
  %t.594 = fmul contract <8 x float> %t.585, %t.593
  %t.595 = fadd contract <8 x float> %t.594, %t.584
  %t.596 = fadd contract <8 x float> %t.595, <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.597 = fptrunc <8 x double> %t.581 to <8 x float>
  %t.598 = fadd contract <8 x float> %t.597, <float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000>
  %t.599 = bitcast <8 x float> %t.598 to <8 x i32>
  %t.600 = sub <8 x i32> %t.599, <i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248>
  %t.601 = lshr <8 x i32> %t.600, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.602 = sub <8 x i32> %t.600, %t.601
  %t.603 = sub <8 x i32> %t.601, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.604 = shl <8 x i32> %t.603, <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>
  %t.605 = bitcast <8 x i32> %t.604 to <8 x float>
  %t.606 = sub <8 x i32> %t.602, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.607 = shl <8 x i32> %t.606, <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>
  %t.608 = bitcast <8 x i32> %t.607 to <8 x float>
  %t.609 = fmul contract <8 x float> %t.596, %t.605
  %t.610 = fmul contract <8 x float> %t.609, %t.608
  %t.611 = fmul contract <8 x float> <float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000>, <float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000>
  %t.612 = call <8 x float> @llvm.trunc.v8f32(<8 x float> <float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000>)
  %t.613 = fcmp oeq <8 x float> %t.612, <float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000>
  %t.614 = call <8 x float> @llvm.trunc.v8f32(<8 x float> %t.611)
  %t.615 = fcmp oeq <8 x float> %t.614, %t.611
  %t.616 = xor <8 x i1> %t.615, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.617 = and <8 x i1> %t.613, %t.616
  %t.618 = call <8 x float> @llvm.copysign.v8f32(<8 x float> %t.610, <8 x float> %t.433)
  %t.619 = select <8 x i1> %t.617, <8 x float> %t.618, <8 x float> %t.610
  %t.620 = fcmp olt <8 x float> %t.433, <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.621 = fcmp ogt <8 x float> %t.433, <float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000>
  %t.622 = and <8 x i1> %t.620, %t.621
  %t.623 = xor <8 x i1> %t.613, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.624 = and <8 x i1> %t.622, %t.623
  %t.625 = fcmp oeq <8 x float> %t.433, <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.626 = fcmp oeq <8 x float> <float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000>, <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.627 = or <8 x i1> %t.625, %t.626
  %t.628 = fcmp oeq <8 x float> %t.433, <float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000>
  %t.629 = call <8 x float> @llvm.fabs.v8f32(<8 x float> <float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000>)
  %t.630 = fcmp oeq <8 x float> %t.629, <float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000>
  %t.631 = and <8 x i1> %t.628, %t.630
  %t.632 = or <8 x i1> %t.627, %t.631
  %t.633 = select <8 x i1> %t.624, <8 x float> <float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000>, <8 x float> %t.619
  %t.634 = select <8 x i1> %t.632, <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>, <8 x float> %t.633
  br label %usual.519
usual.519:
  %t.635 = phi <8 x float> [ %t.516, %loaded.416 ], [ %t.634, %rare.518 ]
  %t.636 = fsub contract <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>, %t.635
  %t.637 = insertelement <8 x float> poison, float %param2, i32 0
  %t.638 = shufflevector <8 x float> %t.637, <8 x float> poison, <8 x i32> zeroinitializer
  %t.639 = fsub contract <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>, %t.638
  %t.640 = fmul contract <8 x float> %t.635, %t.639
  %t.641 = fmul contract <8 x float> %t.636, %t.638
  %t.642 = fadd contract <8 x float> %t.640, %t.641
  %t.643 = insertelement <8 x float> poison, float %param2, i32 0
  %t.644 = shufflevector <8 x float> %t.643, <8 x float> poison, <8 x i32> zeroinitializer
  %t.645 = fmul contract <8 x float> %t.635, %t.644
  %t.646 = select i1 %param4, <8 x float> %t.642, <8 x float> %t.645
  %t.647 = sext i32 %workgroup_id.19 to i64
  %index.648 = mul i64 %t.647, 64
  %index.649 = add i64 %index.648, %t.29
  %t.650 = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %t.646, <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>)
  %t.651 = call <8 x float> @llvm.minnum.v8f32(<8 x float> %t.650, <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>)
  %t.652 = select i1 %param5, <8 x float> %t.651, <8 x float> %t.646
  %place.653 = getelementptr float, ptr %buffer1, i64 %index.649
  call void @llvm.masked.store.v8f32.p0(<8 x float> %t.652, ptr %place.653, i32 4, <8 x i1> %mask.347)
  br label %row_end.342
row_end.342:
  %t.654 = zext i1 true to i32
  %t.655 = add nuw i32 %workgroup_id.19, %t.654
  %t.656 = icmp eq i32 %t.655, %gx
  %t.657 = select i1 %t.656, i32 0, i32 %t.655
  store i32 %t.657, ptr %workgroup_id.7
  %t.658 = zext i1 %t.656 to i32
  %t.659 = add nuw i32 %workgroup_id.20, %t.658
  %t.660 = icmp eq i32 %t.659, %gy
  %t.661 = select i1 %t.660, i32 0, i32 %t.659
  store i32 %t.661, ptr %workgroup_id.9
  %t.662 = zext i1 %t.660 to i32
  %t.663 = add nuw i32 %workgroup_id.21, %t.662
  %t.664 = icmp eq i32 %t.663, %gz
  %t.665 = select i1 %t.664, i32 0, i32 %t.663
  store i32 %t.665, ptr %workgroup_id.11
  br label %workgroup_next.15
workgroup_next.15:
  %workgroup.17.next = add nsw i64 %workgroup.17, 1
  br label %workgroup_head.13
workgroup_end.16:
  ret void
}

declare <8 x float> @llvm.copysign.v8f32(<8 x float>, <8 x float>)
declare i1 @llvm.expect.i1(i1, i1)
declare <8 x float> @llvm.fabs.v8f32(<8 x float>)
declare <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr>, i32, <8 x i1>, <8 x float>)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)
declare <8 x float> @llvm.maxnum.v8f32(<8 x float>, <8 x float>)
declare <8 x float> @llvm.minnum.v8f32(<8 x float>, <8 x float>)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare <8 x i32> @llvm.smin.v8i32(<8 x i32>, <8 x i32>)
declare <8 x float> @llvm.trunc.v8f32(<8 x float>)
declare <8 x i32> @llvm.umin.v8i32(<8 x i32>, <8 x i32>)
