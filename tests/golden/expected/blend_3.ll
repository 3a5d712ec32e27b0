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
  %t.95 = icmp sle i64 %index.90, %index.94
  %t.96 = icmp sge i64 %index.89, 0
  %t.97 = zext i32 %param6 to i64
  %t.98 = icmp sle i64 %index.90, %t.97
  %t.99 = and i1 %t.95, %t.96
  %t.100 = and i1 %t.99, %t.98
  br i1 %t.100, label %in_range.101, label %clamped.102
in_range.101:
  %place.104 = getelementptr inbounds float, ptr %buffer0, i64 %index.91
  %x.105 = load <8 x float>, ptr %place.104, align 4
  br label %loaded.103
clamped.102:
  %t.106 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.107 = shufflevector <8 x i32> %t.106, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.108 = add <8 x i32> %t.44, %t.107
  %t.109 = sub nsw i32 %param0, 1
  %t.110 = insertelement <8 x i32> poison, i32 %t.109, i32 0
  %t.111 = shufflevector <8 x i32> %t.110, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.112 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.108, <8 x i32> %t.111)
  %t.113 = insertelement <8 x i32> poison, i32 %param6, i32 0
  %t.114 = shufflevector <8 x i32> %t.113, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.115 = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %t.112, <8 x i32> %t.114)
  %t.116 = zext <8 x i32> %t.115 to <8 x i64>
  %places.117 = getelementptr inbounds float, ptr %buffer0, <8 x i64> %t.116
  %x.118 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places.117, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, <8 x float> poison)
  br label %loaded.103
loaded.103:
  %x.119 = phi <8 x float> [ %x.105, %in_range.101 ], [ %x.118, %clamped.102 ]
  %t.120 = bitcast <8 x float> %x.119 to <8 x i32>
  %t.121 = sub <8 x i32> %t.120, <i32 8388608, i32 8388608, i32 8388608, i32 8388608, i32 8388608, i32 8388608, i32 8388608, i32 8388608>
  %t.122 = icmp ult <8 x i32> %t.121, <i32 2130706432, i32 2130706432, i32 2130706432, i32 2130706432, i32 2130706432, i32 2130706432, i32 2130706432, i32 2130706432>
  %t.123 = call <8 x float> @llvm.fabs.v8f32(<8 x float> <float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000>)
  %t.124 = fcmp olt <8 x float> %t.123, <float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000>
  %t.125 = and <8 x i1> %t.122, %t.124
  %t.126 = xor <8 x i1> %t.125, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.127 = bitcast <8 x float> %x.119 to <8 x i32>
  %t.128 = sub <8 x i32> %t.127, <i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283>
  %t.129 = and <8 x i32> %t.128, <i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607>
  %t.130 = add <8 x i32> %t.129, <i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283>
  %t.131 = bitcast <8 x i32> %t.130 to <8 x float>
  %t.132 = fsub contract <8 x float> %t.131, <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.133 = bitcast <8 x i32> %t.128 to <8 x i32>
  %t.134 = ashr <8 x i32> %t.133, <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>
  %t.135 = sitofp <8 x i32> %t.134 to <8 x float>
  %t.136 = fpext <8 x float> %t.132 to <8 x double>
  %t.137 = fmul contract <8 x double> %t.136, <double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404>
  %t.138 = fadd contract <8 x double> %t.137, <double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3>
  %t.139 = fmul contract <8 x double> %t.138, %t.136
  %t.140 = fadd contract <8 x double> %t.139, <double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161>
  %t.141 = fmul contract <8 x double> %t.140, %t.136
  %t.142 = fadd contract <8 x double> %t.141, <double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036>
  %t.143 = fmul contract <8 x double> %t.142, %t.136
  %t.144 = fadd contract <8 x double> %t.143, <double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED>
  %t.145 = fmul contract <8 x double> %t.144, %t.136
  %t.146 = fadd contract <8 x double> %t.145, <double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD>
  %t.147 = fmul contract <8 x double> %t.146, %t.136
  %t.148 = fadd contract <8 x double> %t.147, <double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3>
  %t.149 = fmul contract <8 x double> %t.148, %t.136
  %t.150 = fadd contract <8 x double> %t.149, <double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B>
  %t.151 = fmul contract <8 x double> %t.150, %t.136
  %t.152 = fadd contract <8 x double> %t.151, <double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033>
  %t.153 = fmul contract <8 x double> %t.152, %t.136
  %t.154 = fadd contract <8 x double> %t.153, <double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1>
  %t.155 = fmul contract <8 x double> %t.154, %t.136
  %t.156 = fadd contract <8 x double> %t.155, <double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80>
  %t.157 = fmul contract <8 x double> %t.156, %t.136
  %t.158 = fadd contract <8 x double> %t.157, <double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107>
  %t.159 = fmul contract <8 x double> %t.158, %t.136
  %t.160 = fadd contract <8 x double> %t.159, <double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74>
  %t.161 = fmul contract <8 x double> %t.160, %t.136
  %t.162 = fadd contract <8 x double> %t.161, <double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7>
  %t.163 = fmul contract <8 x double> %t.136, %t.162
  %t.164 = fpext <8 x float> %t.135 to <8 x double>
  %t.165 = fadd contract <8 x double> %t.163, %t.164
  %t.166 = fpext <8 x float> <float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000> to <8 x double>
  %t.167 = fmul contract <8 x double> %t.166, %t.165
  %t.168 = fcmp olt <8 x double> <double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000>, %t.167
  %t.169 = select <8 x i1> %t.168, <8 x double> <double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000>, <8 x double> %t.167
  %t.170 = fcmp ogt <8 x double> <double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000>, %t.169
  %t.171 = select <8 x i1> %t.170, <8 x double> <double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000>, <8 x double> %t.169
  %t.172 = fadd contract <8 x double> %t.171, <double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000>
  %t.173 = fsub contract <8 x double> %t.172, <double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000>
  %t.174 = fsub contract <8 x double> %t.171, %t.173
  %t.175 = fmul contract <8 x double> %t.174, <double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF>
  %t.176 = fptrunc <8 x double> %t.175 to <8 x float>
  %t.177 = fmul contract <8 x float> %t.176, %t.176
  %t.178 = fmul contract <8 x float> %t.176, <float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000>
  %t.179 = fadd contract <8 x float> %t.178, <float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000>
  %t.180 = fmul contract <8 x float> %t.179, %t.176
  %t.181 = fadd contract <8 x float> %t.180, <float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000>
  %t.182 = fmul contract <8 x float> %t.181, %t.176
  %t.183 = fadd contract <8 x float> %t.182, <float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000>
  %t.184 = fmul contract <8 x float> %t.183, %t.176
  %t.185 = fadd contract <8 x float> %t.184, <float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000>
  %t.186 = fmul contract <8 x float> %t.177, %t.185
  %t.187 = fadd contract <8 x float> %t.186, %t.176
  %t.188 = fadd contract <8 x float> %t.187, <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.189 = fptrunc <8 x double> %t.173 to <8 x float>
  %t.190 = fadd contract <8 x float> %t.189, <float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000>
  %t.191 = bitcast <8 x float> %t.190 to <8 x i32>
  %t.192 = sub <8 x i32> %t.191, <i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248>
  %t.193 = lshr <8 x i32> %t.192, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.194 = sub <8 x i32> %t.192, %t.193
  %t.195 = sub <8 x i32> %t.193, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.196 = shl <8 x i32> %t.195, <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>
  %t.197 = bitcast <8 x i32> %t.196 to <8 x float>
  %t.198 = sub <8 x i32> %t.194, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.199 = shl <8 x i32> %t.198, <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>
  %t.200 = bitcast <8 x i32> %t.199 to <8 x float>
  %t.201 = fmul contract <8 x float> %t.188, %t.197
  %t.202 = fmul contract <8 x float> %t.201, %t.200
  %t.203 = bitcast <8 x i1> %t.126 to i8
  %t.206 = icmp ne i8 %t.203, 0
  %t.207 = call i1 @llvm.expect.i1(i1 %t.206, i1 false)
  br i1 %t.207, label %rare.204, label %usual.205
rare.204:
  %t.208 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %x.119)
  %t.209 = fcmp olt <8 x float> %t.208, <float 0x3810000000000000, float 0x3810000000000000, float 0x3810000000000000, float 0x3810000000000000, float 0x3810000000000000, float 0x3810000000000000, float 0x3810000000000000, float 0x3810000000000000>
  %t.210 = fmul contract <8 x float> %t.208, <float 0x4160000000000000, float 0x4160000000000000, float 0x4160000000000000, float 0x4160000000000000, float 0x4160000000000000, float 0x4160000000000000, float 0x4160000000000000, float 0x4160000000000000>
  %t.211 = select <8 x i1> %t.209, <8 x float> %t.210, <8 x float> %t.208
  %t.212 = bitcast <8 x float> %t.211 to <8 x i32>
  %t.213 = sub <8 x i32> %t.212, <i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283>
  %t.214 = and <8 x i32> %t.213, <i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607>
  %t.215 = add <8 x i32> %t.214, <i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283>
  %t.216 = bitcast <8 x i32> %t.215 to <8 x float>
  %t.217 = fsub contract <8 x float> %t.216, <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.218 = bitcast <8 x i32> %t.213 to <8 x i32>
  %t.219 = ashr <8 x i32> %t.218, <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>
  %t.220 = sitofp <8 x i32> %t.219 to <8 x float>
  %t.221 = select <8 x i1> %t.209, <8 x float> <float 0x4037000000000000, float 0x4037000000000000, float 0x4037000000000000, float 0x4037000000000000, float 0x4037000000000000, float 0x4037000000000000, float 0x4037000000000000, float 0x4037000000000000>, <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.222 = fsub contract <8 x float> %t.220, %t.221
  %t.223 = fpext <8 x float> %t.217 to <8 x double>
  %t.224 = fmul contract <8 x double> %t.223, <double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404>
  %t.225 = fadd contract <8 x double> %t.224, <double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3>
  %t.226 = fmul contract <8 x double> %t.225, %t.223
  %t.227 = fadd contract <8 x double> %t.226, <double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161>
  %t.228 = fmul contract <8 x double> %t.227, %t.223
  %t.229 = fadd contract <8 x double> %t.228, <double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036>
  %t.230 = fmul contract <8 x double> %t.229, %t.223
  %t.231 = fadd contract <8 x double> %t.230, <double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED>
  %t.232 = fmul contract <8 x double> %t.231, %t.223
  %t.233 = fadd contract <8 x double> %t.232, <double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD>
  %t.234 = fmul contract <8 x double> %t.233, %t.223
  %t.235 = fadd contract <8 x double> %t.234, <double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3>
  %t.236 = fmul contract <8 x double> %t.235, %t.223
  %t.237 = fadd contract <8 x double> %t.236, <double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B>
  %t.238 = fmul contract <8 x double> %t.237, %t.223
  %t.239 = fadd contract <8 x double> %t.238, <double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033>
  %t.240 = fmul contract <8 x double> %t.239, %t.223
  %t.241 = fadd contract <8 x double> %t.240, <double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1>
  %t.242 = fmul contract <8 x double> %t.241, %t.223
  %t.243 = fadd contract <8 x double> %t.242, <double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80>
  %t.244 = fmul contract <8 x double> %t.243, %t.223
  %t.245 = fadd contract <8 x double> %t.244, <double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107>
  %t.246 = fmul contract <8 x double> %t.245, %t.223
  %t.247 = fadd contract <8 x double> %t.246, <double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74>
  %t.248 = fmul contract <8 x double> %t.247, %t.223
  %t.249 = fadd contract <8 x double> %t.248, <double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7>
  %t.250 = fmul contract <8 x double> %t.223, %t.249
  %t.251 = fpext <8 x float> %t.222 to <8 x double>
  %t.252 = fadd contract <8 x double> %t.250, %t.251
  %t.253 = fcmp oeq <8 x float> %t.208, <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.254 = fpext <8 x float> %t.208 to <8 x double>
  %t.255 = select <8 x i1> %t.253, <8 x double> <double 0xFFF0000000000000, double 0xFFF0000000000000, double 0xFFF0000000000000, double 0xFFF0000000000000, double 0xFFF0000000000000, double 0xFFF0000000000000, double 0xFFF0000000000000, double 0xFFF0000000000000>, <8 x double> %t.254
  %t.256 = fcmp ogt <8 x float> %t.208, <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.257 = fcmp olt <8 x float> %t.208, <float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000>
  %t.258 = and <8 x i1> %t.256, %t.257
  %t.259 = select <8 x i1> %t.258, <8 x double> %t.252, <8 x double> %t.255
  %t.260 = fpext <8 x float> <float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000> to <8 x double>
  %t.261 = fmul contract <8 x double> %t.260, %t.259
  %t.262 = fcmp olt <8 x double> <double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000>, %t.261
  %t.263 = select <8 x i1> %t.262, <8 x double> <double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000>, <8 x double> %t.261
  %t.264 = fcmp ogt <8 x double> <double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000>, %t.263
  %t.265 = select <8 x i1> %t.264, <8 x double> <double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000>, <8 x double> %t.263
  %t.266 = fadd contract <8 x double> %t.265, <double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000>
  %t.267 = fsub contract <8 x double> %t.266, <double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000>
  %t.268 = fsub contract <8 x double> %t.265, %t.267
  %t.269 = fmul contract <8 x double> %t.268, <double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF>
  %t.270 = fptrunc <8 x double> %t.269 to <8 x float>
  %t.271 = fmul contract <8 x float> %t.270, %t.270
  %t.272 = fmul contract <8 x float> %t.270, <float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000>
  %t.273 = fadd contract <8 x float> %t.272, <float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000>
  %t.274 = fmul contract <8 x float> %t.273, %t.270
  %t.275 = fadd contract <8 x float> %t.274, <float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000>
  %t.276 = fmul contract <8 x float> %t.275, %t.270
  %t.277 = fadd contract <8 x float> %t.276, <float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000>
  %t.278 = fmul contract <8 x float> %t.277, %t.270
  %t.279 = fadd contract <8 x float> %t.278, <float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000>
  %t.280 = fmul contract <8 x float> %t.271, %t.279
  %t.281 = fadd contract <8 x float> %t.280, %t.270
  %t.282 = fadd contract <8 x float> %t.281, <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.283 = fptrunc <8 x double> %t.267 to <8 x float>
  %t.284 = fadd contract <8 x float> %t.283, <float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000>
  %t.285 = bitcast <8 x float> %t.284 to <8 x i32>
  %t.286 = sub <8 x i32> %t.285, <i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248>
  %t.287 = lshr <8 x i32> %t.286, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.288 = sub <8 x i32> %t.286, %t.287
  %t.289 = sub <8 x i32> %t.287, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.290 = shl <8 x i32> %t.289, <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>
  %t.291 = bitcast <8 x i32> %t.290 to <8 x float>
  %t.292 = sub <8 x i32> %t.288, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.293 = shl <8 x i32> %t.292, <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>
  %t.294 = bitcast <8 x i32> %t.293 to <8 x float>
  %t.295 = fmul contract <8 x float> %t.282, %t.291
  %t.296 = fmul contract <8 x float> %t.295, %t.294
  %t.297 = fmul contract <8 x float> <float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000>, <float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000>
  %t.298 = call <8 x float> @llvm.trunc.v8f32(<8 x float> <float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000>)
  %t.299 = fcmp oeq <8 x float> %t.298, <float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000>
  %t.300 = call <8 x float> @llvm.trunc.v8f32(<8 x float> %t.297)
  %t.301 = fcmp oeq <8 x float> %t.300, %t.297
  %t.302 = xor <8 x i1> %t.301, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.303 = and <8 x i1> %t.299, %t.302
  %t.304 = call <8 x float> @llvm.copysign.v8f32(<8 x float> %t.296, <8 x float> %x.119)
  %t.305 = select <8 x i1> %t.303, <8 x float> %t.304, <8 x float> %t.296
  %t.306 = fcmp olt <8 x float> %x.119, <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.307 = fcmp ogt <8 x float> %x.119, <float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000>
  %t.308 = and <8 x i1> %t.306, %t.307
  %t.309 = xor <8 x i1> %t.299, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.310 = and <8 x i1> %t.308, %t.309
  %t.311 = fcmp oeq <8 x float> %x.119, <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.312 = fcmp oeq <8 x float> <float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000>, <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.313 = or <8 x i1> %t.311, %t.312
  %t.314 = fcmp oeq <8 x float> %x.119, <float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000>
  %t.315 = call <8 x float> @llvm.fabs.v8f32(<8 x float> <float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000>)
  %t.316 = fcmp oeq <8 x float> %t.315, <float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000>
  %t.317 = and <8 x i1> %t.314, %t.316
  %t.318 = or <8 x i1> %t.313, %t.317
  %t.319 = select <8 x i1> %t.310, <8 x float> <float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000>, <8 x float> %t.305
  %t.320 = select <8 x i1> %t.318, <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>, <8 x float> %t.319
  br label %usual.205
usual.205:
  %t.321 = phi <8 x float> [ %t.202, %loaded.103 ], [ %t.320, %rare.204 ]
  %t.322 = fsub contract <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>, %t.321
  %t.323 = insertelement <8 x float> poison, float %param2, i32 0
  %t.324 = shufflevector <8 x float> %t.323, <8 x float> poison, <8 x i32> zeroinitializer
  %t.325 = fsub contract <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>, %t.324
  %t.326 = fmul contract <8 x float> %t.321, %t.325
  %t.327 = fmul contract <8 x float> %t.322, %t.324
  %t.328 = fadd contract <8 x float> %t.326, %t.327
  %t.329 = insertelement <8 x float> poison, float %param2, i32 0
  %t.330 = shufflevector <8 x float> %t.329, <8 x float> poison, <8 x i32> zeroinitializer
  %t.331 = fmul contract <8 x float> %t.321, %t.330
  %t.332 = select i1 %param4, <8 x float> %t.328, <8 x float> %t.331
  %t.333 = sext i32 %workgroup_id.19 to i64
  %index.334 = mul i64 %t.333, 64
  %index.335 = add i64 %index.334, %local_x.35
  %t.336 = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %t.332, <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>)
  %t.337 = call <8 x float> @llvm.minnum.v8f32(<8 x float> %t.336, <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>)
  %t.338 = select i1 %param5, <8 x float> %t.337, <8 x float> %t.332
  %place.339 = getelementptr inbounds float, ptr %buffer1, i64 %index.335
  store <8 x float> %t.338, ptr %place.339, align 32 ; may stream
  br label %local_x_next.33
local_x_next.33:
  %local_x.35.next = add nsw i64 %local_x.35, 8
  br label %local_x_head.31
local_x_end.34:
  %t.342 = icmp sgt i64 %t.30, 0
  br i1 %t.342, label %last_gang.341, label %row_end.340
last_gang.341:
  %t.343 = insertelement <8 x i64> poison, i64 %t.30, i32 0
  %t.344 = shufflevector <8 x i64> %t.343, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask.345 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %t.344
  %t.346 = mul nsw i32 %workgroup_id.19, 64
  %local_id.347 = trunc i64 %t.29 to i32
  %t.348 = insertelement <8 x i32> poison, i32 %local_id.347, i32 0
  %t.349 = shufflevector <8 x i32> %t.348, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.350 = add nsw <8 x i32> %t.349, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.351 = insertelement <8 x i32> poison, i32 %t.346, i32 0
  %t.352 = shufflevector <8 x i32> %t.351, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.353 = add nsw <8 x i32> %t.352, %t.350
  %t.354 = sext i32 %workgroup_id.19 to i64
  %index.355 = mul i64 %t.354, 64
  %index.356 = add i64 %index.355, %t.29
  %t.357 = zext i32 %param6 to i64
  %t.358 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.359 = shufflevector <8 x i32> %t.358, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.360 = add <8 x i32> %t.353, %t.359
  %t.361 = sub nsw i32 %param0, 1
  %t.362 = insertelement <8 x i32> poison, i32 %t.361, i32 0
  %t.363 = shufflevector <8 x i32> %t.362, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.364 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.360, <8 x i32> %t.363)
  %t.365 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.366 = shufflevector <8 x i32> %t.365, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.367 = add <8 x i32> %t.353, %t.366
  %t.368 = sub nsw i32 %param0, 1
  %t.369 = insertelement <8 x i32> poison, i32 %t.368, i32 0
  %t.370 = shufflevector <8 x i32> %t.369, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.371 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.367, <8 x i32> %t.370)
  %t.372 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.373 = shufflevector <8 x i32> %t.372, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.374 = add <8 x i32> %t.353, %t.373
  %t.375 = sub nsw i32 %param0, 1
  %t.376 = insertelement <8 x i32> poison, i32 %t.375, i32 0
  %t.377 = shufflevector <8 x i32> %t.376, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.378 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.374, <8 x i32> %t.377)
  %t.379 = insertelement <8 x i32> poison, i32 %param6, i32 0
  %t.380 = shufflevector <8 x i32> %t.379, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.381 = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %t.378, <8 x i32> %t.380)
  %t.382 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.383 = shufflevector <8 x i32> %t.382, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.384 = add <8 x i32> %t.353, %t.383
  %t.385 = sub nsw i32 %param0, 1
  %t.386 = insertelement <8 x i32> poison, i32 %t.385, i32 0
  %t.387 = shufflevector <8 x i32> %t.386, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.388 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.384, <8 x i32> %t.387)
  %t.389 = insertelement <8 x i32> poison, i32 %param6, i32 0
  %t.390 = shufflevector <8 x i32> %t.389, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.391 = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %t.388, <8 x i32> %t.390)
  %t.392 = sext i32 %workgroup_id.19 to i64
  %index.393 = mul i64 %t.392, 64
  %index.394 = add i64 %index.393, 63
  %index.395 = add i64 %index.393, %t.29
  %index.396 = add i64 %index.393, %t.29
  %t.397 = sext i32 %param3 to i64
  %index.398 = add i64 %index.393, %t.397
  %index.399 = add i64 %index.394, %t.397
  %index.400 = add i64 %index.395, %t.397
  %index.401 = add i64 %index.396, %t.397
  %t.402 = sext i32 %param0 to i64
  %index.403 = sub i64 %t.402, 1
  %t.404 = icmp sle i64 %index.399, %index.403
  %t.405 = icmp sge i64 %index.398, 0
  %t.406 = zext i32 %param6 to i64
  %t.407 = icmp sle i64 %index.399, %t.406
  %t.408 = and i1 %t.404, %t.405
  %t.409 = and i1 %t.408, %t.407
  br i1 %t.409, label %in_range.410, label %clamped.411
in_range.410:
  %place.413 = getelementptr inbounds float, ptr %buffer0, i64 %index.400
  %x.414 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %place.413, i32 4, <8 x i1> %mask.345, <8 x float> poison)
  br label %loaded.412
clamped.411:
  %t.415 = insertelement <8 x i32> poison, i32 %param3, i32 0
  %t.416 = shufflevector <8 x i32> %t.415, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.417 = add <8 x i32> %t.353, %t.416
  %t.418 = sub nsw i32 %param0, 1
  %t.419 = insertelement <8 x i32> poison, i32 %t.418, i32 0
  %t.420 = shufflevector <8 x i32> %t.419, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.421 = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %t.417, <8 x i32> %t.420)
  %t.422 = insertelement <8 x i32> poison, i32 %param6, i32 0
  %t.423 = shufflevector <8 x i32> %t.422, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.424 = call <8 x i32> @llvm.umin.v8i32(<8 x i32> %t.421, <8 x i32> %t.423)
  %t.425 = zext <8 x i32> %t.424 to <8 x i64>
  %places.426 = getelementptr inbounds float, ptr %buffer0, <8 x i64> %t.425
  %x.427 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places.426, i32 4, <8 x i1> %mask.345, <8 x float> poison)
  br label %loaded.412
loaded.412:
  %x.428 = phi <8 x float> [ %x.414, %in_range.410 ], [ %x.427, %clamped.411 ]
  %t.429 = bitcast <8 x float> %x.428 to <8 x i32>
  %t.430 = sub <8 x i32> %t.429, <i32 8388608, i32 8388608, i32 8388608, i32 8388608, i32 8388608, i32 8388608, i32 8388608, i32 8388608>
  %t.431 = icmp ult <8 x i32> %t.430, <i32 2130706432, i32 2130706432, i32 2130706432, i32 2130706432, i32 2130706432, i32 2130706432, i32 2130706432, i32 2130706432>
  %t.432 = call <8 x float> @llvm.fabs.v8f32(<8 x float> <float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000>)
  %t.433 = fcmp olt <8 x float> %t.432, <float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000>
  %t.434 = and <8 x i1> %t.431, %t.433
  %t.435 = xor <8 x i1> %t.434, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.436 = bitcast <8 x float> %x.428 to <8 x i32>
  %t.437 = sub <8 x i32> %t.436, <i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283>
  %t.438 = and <8 x i32> %t.437, <i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607>
  %t.439 = add <8 x i32> %t.438, <i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283>
  %t.440 = bitcast <8 x i32> %t.439 to <8 x float>
  %t.441 = fsub contract <8 x float> %t.440, <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.442 = bitcast <8 x i32> %t.437 to <8 x i32>
  %t.443 = ashr <8 x i32> %t.442, <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>
  %t.444 = sitofp <8 x i32> %t.443 to <8 x float>
  %t.445 = fpext <8 x float> %t.441 to <8 x double>
  %t.446 = fmul contract <8 x double> %t.445, <double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404>
  %t.447 = fadd contract <8 x double> %t.446, <double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3>
  %t.448 = fmul contract <8 x double> %t.447, %t.445
  %t.449 = fadd contract <8 x double> %t.448, <double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161>
  %t.450 = fmul contract <8 x double> %t.449, %t.445
  %t.451 = fadd contract <8 x double> %t.450, <double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036>
  %t.452 = fmul contract <8 x double> %t.451, %t.445
  %t.453 = fadd contract <8 x double> %t.452, <double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED>
  %t.454 = fmul contract <8 x double> %t.453, %t.445
  %t.455 = fadd contract <8 x double> %t.454, <double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD>
  %t.456 = fmul contract <8 x double> %t.455, %t.445
  %t.457 = fadd contract <8 x double> %t.456, <double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3>
  %t.458 = fmul contract <8 x double> %t.457, %t.445
  %t.459 = fadd contract <8 x double> %t.458, <double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B>
  %t.460 = fmul contract <8 x double> %t.459, %t.445
  %t.461 = fadd contract <8 x double> %t.460, <double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033>
  %t.462 = fmul contract <8 x double> %t.461, %t.445
  %t.463 = fadd contract <8 x double> %t.462, <double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1>
  %t.464 = fmul contract <8 x double> %t.463, %t.445
  %t.465 = fadd contract <8 x double> %t.464, <double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80>
  %t.466 = fmul contract <8 x double> %t.465, %t.445
  %t.467 = fadd contract <8 x double> %t.466, <double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107>
  %t.468 = fmul contract <8 x double> %t.467, %t.445
  %t.469 = fadd contract <8 x double> %t.468, <double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74>
  %t.470 = fmul contract <8 x double> %t.469, %t.445
  %t.471 = fadd contract <8 x double> %t.470, <double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7>
  %t.472 = fmul contract <8 x double> %t.445, %t.471
  %t.473 = fpext <8 x float> %t.444 to <8 x double>
  %t.474 = fadd contract <8 x double> %t.472, %t.473
  %t.475 = fpext <8 x float> <float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000> to <8 x double>
  %t.476 = fmul contract <8 x double> %t.475, %t.474
  %t.477 = fcmp olt <8 x double> <double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000>, %t.476
  %t.478 = select <8 x i1> %t.477, <8 x double> <double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000>, <8 x double> %t.476
  %t.479 = fcmp ogt <8 x double> <double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000>, %t.478
  %t.480 = select <8 x i1> %t.479, <8 x double> <double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000>, <8 x double> %t.478
  %t.481 = fadd contract <8 x double> %t.480, <double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000>
  %t.482 = fsub contract <8 x double> %t.481, <double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000>
  %t.483 = fsub contract <8 x double> %t.480, %t.482
  %t.484 = fmul contract <8 x double> %t.483, <double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF>
  %t.485 = fptrunc <8 x double> %t.484 to <8 x float>
  %t.486 = fmul contract <8 x float> %t.485, %t.485
  %t.487 = fmul contract <8 x float> %t.485, <float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000>
  %t.488 = fadd contract <8 x float> %t.487, <float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000>
  %t.489 = fmul contract <8 x float> %t.488, %t.485
  %t.490 = fadd contract <8 x float> %t.489, <float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000>
  %t.491 = fmul contract <8 x float> %t.490, %t.485
  %t.492 = fadd contract <8 x float> %t.491, <float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000>
  %t.493 = fmul contract <8 x float> %t.492, %t.485
  %t.494 = fadd contract <8 x float> %t.493, <float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000>
  %t.495 = fmul contract <8 x float> %t.486, %t.494
  %t.496 = fadd contract <8 x float> %t.495, %t.485
  %t.497 = fadd contract <8 x float> %t.496, <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.498 = fptrunc <8 x double> %t.482 to <8 x float>
  %t.499 = fadd contract <8 x float> %t.498, <float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000>
  %t.500 = bitcast <8 x float> %t.499 to <8 x i32>
  %t.501 = sub <8 x i32> %t.500, <i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248>
  %t.502 = lshr <8 x i32> %t.501, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.503 = sub <8 x i32> %t.501, %t.502
  %t.504 = sub <8 x i32> %t.502, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.505 = shl <8 x i32> %t.504, <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>
  %t.506 = bitcast <8 x i32> %t.505 to <8 x float>
  %t.507 = sub <8 x i32> %t.503, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.508 = shl <8 x i32> %t.507, <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>
  %t.509 = bitcast <8 x i32> %t.508 to <8 x float>
  %t.510 = fmul contract <8 x float> %t.497, %t.506
  %t.511 = fmul contract <8 x float> %t.510, %t.509
  %t.512 = bitcast <8 x i1> %t.435 to i8
  %t.515 = icmp ne i8 %t.512, 0
  %t.516 = call i1 @llvm.expect.i1(i1 %t.515, i1 false)
  br i1 %t.516, label %rare.513, label %usual.514
rare.513:
  %t.517 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %x.428)
  %t.518 = fcmp olt <8 x float> %t.517, <float 0x3810000000000000, float 0x3810000000000000, float 0x3810000000000000, float 0x3810000000000000, float 0x3810000000000000, float 0x3810000000000000, float 0x3810000000000000, float 0x3810000000000000>
  %t.519 = fmul contract <8 x float> %t.517, <float 0x4160000000000000, float 0x4160000000000000, float 0x4160000000000000, float 0x4160000000000000, float 0x4160000000000000, float 0x4160000000000000, float 0x4160000000000000, float 0x4160000000000000>
  %t.520 = select <8 x i1> %t.518, <8 x float> %t.519, <8 x float> %t.517
  %t.521 = bitcast <8 x float> %t.520 to <8 x i32>
  %t.522 = sub <8 x i32> %t.521, <i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283>
  %t.523 = and <8 x i32> %t.522, <i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607, i32 8388607>
  %t.524 = add <8 x i32> %t.523, <i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283, i32 1060439283>
  %t.525 = bitcast <8 x i32> %t.524 to <8 x float>
  %t.526 = fsub contract <8 x float> %t.525, <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.527 = bitcast <8 x i32> %t.522 to <8 x i32>
  %t.528 = ashr <8 x i32> %t.527, <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>
  %t.529 = sitofp <8 x i32> %t.528 to <8 x float>
  %t.530 = select <8 x i1> %t.518, <8 x float> <float 0x4037000000000000, float 0x4037000000000000, float 0x4037000000000000, float 0x4037000000000000, float 0x4037000000000000, float 0x4037000000000000, float 0x4037000000000000, float 0x4037000000000000>, <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.531 = fsub contract <8 x float> %t.529, %t.530
  %t.532 = fpext <8 x float> %t.526 to <8 x double>
  %t.533 = fmul contract <8 x double> %t.532, <double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404, double 0xBFB1D9FA87851404>
  %t.534 = fadd contract <8 x double> %t.533, <double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3, double 0x3FC0F6513C62C6F3>
  %t.535 = fmul contract <8 x double> %t.534, %t.532
  %t.536 = fadd contract <8 x double> %t.535, <double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161, double 0xBFC13BCDC859A161>
  %t.537 = fmul contract <8 x double> %t.536, %t.532
  %t.538 = fadd contract <8 x double> %t.537, <double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036, double 0x3FC0ACDF441DD036>
  %t.539 = fmul contract <8 x double> %t.538, %t.532
  %t.540 = fadd contract <8 x double> %t.539, <double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED, double 0xBFC23D56ACD546ED>
  %t.541 = fmul contract <8 x double> %t.540, %t.532
  %t.542 = fadd contract <8 x double> %t.541, <double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD, double 0x3FC481F99199CFBD>
  %t.543 = fmul contract <8 x double> %t.542, %t.532
  %t.544 = fadd contract <8 x double> %t.543, <double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3, double 0xBFC7188E6998E6E3>
  %t.545 = fmul contract <8 x double> %t.544, %t.532
  %t.546 = fadd contract <8 x double> %t.545, <double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B, double 0x3FCA61B7FA8FE53B>
  %t.547 = fmul contract <8 x double> %t.546, %t.532
  %t.548 = fadd contract <8 x double> %t.547, <double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033, double 0xBFCEC6F2D391C033>
  %t.549 = fmul contract <8 x double> %t.548, %t.532
  %t.550 = fadd contract <8 x double> %t.549, <double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1, double 0x3FD2776B6C5894F1>
  %t.551 = fmul contract <8 x double> %t.550, %t.532
  %t.552 = fadd contract <8 x double> %t.551, <double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80, double 0xBFD71547889FFA80>
  %t.553 = fmul contract <8 x double> %t.552, %t.532
  %t.554 = fadd contract <8 x double> %t.553, <double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107, double 0x3FDEC709DE350107>
  %t.555 = fmul contract <8 x double> %t.554, %t.532
  %t.556 = fadd contract <8 x double> %t.555, <double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74, double 0xBFE71547651B5D74>
  %t.557 = fmul contract <8 x double> %t.556, %t.532
  %t.558 = fadd contract <8 x double> %t.557, <double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7, double 0x3FF71547652B58D7>
  %t.559 = fmul contract <8 x double> %t.532, %t.558
  %t.560 = fpext <8 x float> %t.531 to <8 x double>
  %t.561 = fadd contract <8 x double> %t.559, %t.560
  %t.562 = fcmp oeq <8 x float> %t.517, <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.563 = fpext <8 x float> %t.517 to <8 x double>
  %t.564 = select <8 x i1> %t.562, <8 x double> <double 0xFFF0000000000000, double 0xFFF0000000000000, double 0xFFF0000000000000, double 0xFFF0000000000000, double 0xFFF0000000000000, double 0xFFF0000000000000, double 0xFFF0000000000000, double 0xFFF0000000000000>, <8 x double> %t.563
  %t.565 = fcmp ogt <8 x float> %t.517, <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.566 = fcmp olt <8 x float> %t.517, <float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000>
  %t.567 = and <8 x i1> %t.565, %t.566
  %t.568 = select <8 x i1> %t.567, <8 x double> %t.561, <8 x double> %t.564
  %t.569 = fpext <8 x float> <float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000> to <8 x double>
  %t.570 = fmul contract <8 x double> %t.569, %t.568
  %t.571 = fcmp olt <8 x double> <double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000>, %t.570
  %t.572 = select <8 x i1> %t.571, <8 x double> <double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000, double 0x4064000000000000>, <8 x double> %t.570
  %t.573 = fcmp ogt <8 x double> <double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000>, %t.572
  %t.574 = select <8 x i1> %t.573, <8 x double> <double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000, double 0xC064000000000000>, <8 x double> %t.572
  %t.575 = fadd contract <8 x double> %t.574, <double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000>
  %t.576 = fsub contract <8 x double> %t.575, <double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000>
  %t.577 = fsub contract <8 x double> %t.574, %t.576
  %t.578 = fmul contract <8 x double> %t.577, <double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF, double 0x3FE62E42FEFA39EF>
  %t.579 = fptrunc <8 x double> %t.578 to <8 x float>
  %t.580 = fmul contract <8 x float> %t.579, %t.579
  %t.581 = fmul contract <8 x float> %t.579, <float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000, float 0x3F56A23F80000000>
  %t.582 = fadd contract <8 x float> %t.581, <float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000, float 0x3F8123A0C0000000>
  %t.583 = fmul contract <8 x float> %t.582, %t.579
  %t.584 = fadd contract <8 x float> %t.583, <float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000, float 0x3FA5558F20000000>
  %t.585 = fmul contract <8 x float> %t.584, %t.579
  %t.586 = fadd contract <8 x float> %t.585, <float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000, float 0x3FC5554920000000>
  %t.587 = fmul contract <8 x float> %t.586, %t.579
  %t.588 = fadd contract <8 x float> %t.587, <float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000, float 0x3FDFFFFFC0000000>
  %t.589 = fmul contract <8 x float> %t.580, %t.588
  %t.590 = fadd contract <8 x float> %t.589, %t.579
  %t.591 = fadd contract <8 x float> %t.590, <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.592 = fptrunc <8 x double> %t.576 to <8 x float>
  %t.593 = fadd contract <8 x float> %t.592, <float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000, float 0x4168000000000000>
  %t.594 = bitcast <8 x float> %t.593 to <8 x i32>
  %t.595 = sub <8 x i32> %t.594, <i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248, i32 1262485248>
  %t.596 = lshr <8 x i32> %t.595, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.597 = sub <8 x i32> %t.595, %t.596
  %t.598 = sub <8 x i32> %t.596, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.599 = shl <8 x i32> %t.598, <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>
  %t.600 = bitcast <8 x i32> %t.599 to <8 x float>
  %t.601 = sub <8 x i32> %t.597, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.602 = shl <8 x i32> %t.601, <i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23, i32 23>
  %t.603 = bitcast <8 x i32> %t.602 to <8 x float>
  %t.604 = fmul contract <8 x float> %t.591, %t.600
  %t.605 = fmul contract <8 x float> %t.604, %t.603
  %t.606 = fmul contract <8 x float> <float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000>, <float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000, float 0x3FE0000000000000>
  %t.607 = call <8 x float> @llvm.trunc.v8f32(<8 x float> <float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000>)
  %t.608 = fcmp oeq <8 x float> %t.607, <float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000>
  %t.609 = call <8 x float> @llvm.trunc.v8f32(<8 x float> %t.606)
  %t.610 = fcmp oeq <8 x float> %t.609, %t.606
  %t.611 = xor <8 x i1> %t.610, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.612 = and <8 x i1> %t.608, %t.611
  %t.613 = call <8 x float> @llvm.copysign.v8f32(<8 x float> %t.605, <8 x float> %x.428)
  %t.614 = select <8 x i1> %t.612, <8 x float> %t.613, <8 x float> %t.605
  %t.615 = fcmp olt <8 x float> %x.428, <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.616 = fcmp ogt <8 x float> %x.428, <float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000, float 0xFFF0000000000000>
  %t.617 = and <8 x i1> %t.615, %t.616
  %t.618 = xor <8 x i1> %t.608, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %t.619 = and <8 x i1> %t.617, %t.618
  %t.620 = fcmp oeq <8 x float> %x.428, <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>
  %t.621 = fcmp oeq <8 x float> <float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000>, <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %t.622 = or <8 x i1> %t.620, %t.621
  %t.623 = fcmp oeq <8 x float> %x.428, <float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000, float 0xBFF0000000000000>
  %t.624 = call <8 x float> @llvm.fabs.v8f32(<8 x float> <float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000, float 0x4008000000000000>)
  %t.625 = fcmp oeq <8 x float> %t.624, <float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000, float 0x7FF0000000000000>
  %t.626 = and <8 x i1> %t.623, %t.625
  %t.627 = or <8 x i1> %t.622, %t.626
  %t.628 = select <8 x i1> %t.619, <8 x float> <float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000, float 0x7FF8000000000000>, <8 x float> %t.614
  %t.629 = select <8 x i1> %t.627, <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>, <8 x float> %t.628
  br label %usual.514
usual.514:
  %t.630 = phi <8 x float> [ %t.511, %loaded.412 ], [ %t.629, %rare.513 ]
  %t.631 = fsub contract <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>, %t.630
  %t.632 = insertelement <8 x float> poison, float %param2, i32 0
  %t.633 = shufflevector <8 x float> %t.632, <8 x float> poison, <8 x i32> zeroinitializer
  %t.634 = fsub contract <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>, %t.633
  %t.635 = fmul contract <8 x float> %t.630, %t.634
  %t.636 = fmul contract <8 x float> %t.631, %t.633
  %t.637 = fadd contract <8 x float> %t.635, %t.636
  %t.638 = insertelement <8 x float> poison, float %param2, i32 0
  %t.639 = shufflevector <8 x float> %t.638, <8 x float> poison, <8 x i32> zeroinitializer
  %t.640 = fmul contract <8 x float> %t.630, %t.639
  %t.641 = select i1 %param4, <8 x float> %t.637, <8 x float> %t.640
  %t.642 = sext i32 %workgroup_id.19 to i64
  %index.643 = mul i64 %t.642, 64
  %index.644 = add i64 %index.643, %t.29
  %t.645 = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %t.641, <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>)
  %t.646 = call <8 x float> @llvm.minnum.v8f32(<8 x float> %t.645, <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>)
  %t.647 = select i1 %param5, <8 x float> %t.646, <8 x float> %t.641
  %place.648 = getelementptr inbounds float, ptr %buffer1, i64 %index.644
  call void @llvm.masked.store.v8f32.p0(<8 x float> %t.647, ptr %place.648, i32 4, <8 x i1> %mask.345)
  br label %row_end.340
row_end.340:
  %t.649 = zext i1 true to i32
  %t.650 = add nuw i32 %workgroup_id.19, %t.649
  %t.651 = icmp eq i32 %t.650, %gx
  %t.652 = select i1 %t.651, i32 0, i32 %t.650
  store i32 %t.652, ptr %workgroup_id.7
  %t.653 = zext i1 %t.651 to i32
  %t.654 = add nuw i32 %workgroup_id.20, %t.653
  %t.655 = icmp eq i32 %t.654, %gy
  %t.656 = select i1 %t.655, i32 0, i32 %t.654
  store i32 %t.656, ptr %workgroup_id.9
  %t.657 = zext i1 %t.655 to i32
  %t.658 = add nuw i32 %workgroup_id.21, %t.657
  %t.659 = icmp eq i32 %t.658, %gz
  %t.660 = select i1 %t.659, i32 0, i32 %t.658
  store i32 %t.660, ptr %workgroup_id.11
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
