; kernel polynomial
@gpucore_scratch_nbytes = constant i64 2304

define void @gpucore_entry(ptr %buffers, ptr %scalars, ptr %scratch, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) nounwind {
entry:
  %t.1 = getelementptr ptr, ptr %buffers, i64 0
  %x.2 = load ptr, ptr %t.1
  %t.3 = getelementptr ptr, ptr %buffers, i64 1
  %y.4 = load ptr, ptr %t.3
  %t.5 = getelementptr ptr, ptr %buffers, i64 2
  %picks.6 = load ptr, ptr %t.5
  %t.7 = getelementptr i8, ptr %scalars, i64 0
  %x_shape_0_.8 = load i32, ptr %t.7
  %t.9 = getelementptr i8, ptr %scratch, i64 0
  %t.10 = getelementptr i8, ptr %scratch, i64 2048
  call void @gpucore_workgroups(ptr %x.2, ptr %y.4, ptr %picks.6, i32 %x_shape_0_.8, ptr %t.9, ptr %t.10, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last)
  ret void
}

define internal void @gpucore_workgroups(ptr noalias nonnull align 64 %buffer0, ptr noalias nonnull align 64 %buffer1, ptr noalias nonnull align 64 %buffer2, i32 %param0, ptr noalias nonnull align 64 %scratch0, ptr noalias nonnull align 64 %scratch1, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) noinline nounwind {
entry:
  %table.144 = alloca [8 x float], align 16
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
  %count.21 = call i64 @llvm.smin.i64(i64 %room.20, i64 64)
  %t.25 = icmp eq i64 %count.21, 64
  br i1 %t.25, label %full_row.22, label %short_row.23
full_row.22:
  br label %local_x_head.26
local_x_head.26:
  %local_x.30 = phi i64 [ 0, %full_row.22 ], [ %local_x.30.next, %local_x_next.28 ]
  %t.31 = icmp slt i64 %local_x.30, 64
  br i1 %t.31, label %local_x_body.27, label %local_x_end.29
local_x_body.27:
  %t.32 = mul nsw i32 %workgroup_id.13, 64
  %local_id.33 = trunc i64 %local_x.30 to i32
  %t.34 = add nsw i32 %t.32, %local_id.33
  %t.35 = sext i32 %workgroup_id.13 to i64
  %index.36 = mul nsw i64 %t.35, 64
  %index.37 = add nsw i64 %index.36, %local_x.30
  %place.38 = getelementptr inbounds float, ptr %buffer0, i64 %index.37
  %x.39 = load float, ptr %place.38, align 4, !llvm.access.group !0
  %t.40 = sext i32 %workgroup_id.13 to i64
  %index.41 = mul nsw i64 %t.40, 64
  %index.42 = add nsw i64 %index.41, %local_x.30
  %place.43 = getelementptr inbounds float, ptr %buffer0, i64 %index.42
  %x.44 = load float, ptr %place.43, align 4, !llvm.access.group !0
  %t.45 = fmul contract float %x.39, %x.44
  %t.46 = sext i32 %workgroup_id.13 to i64
  %index.47 = mul nsw i64 %t.46, 64
  %index.48 = add nsw i64 %index.47, %local_x.30
  %place.49 = getelementptr inbounds float, ptr %buffer0, i64 %index.48
  %x.50 = load float, ptr %place.49, align 4, !llvm.access.group !0
  %t.51 = fmul contract float %t.45, %x.50
  %t.52 = fmul contract float %x.39, 0x3FE0000000000000
  %t.53 = fadd contract float 0x3FF0000000000000, %t.52
  %t.54 = fmul contract float %t.45, 0x3FD0000000000000
  %t.55 = fadd contract float %t.53, %t.54
  %t.56 = fmul contract float %t.51, 0x3FC0000000000000
  %t.57 = fadd contract float %t.55, %t.56
  %t.58 = getelementptr inbounds float, ptr %scratch1, i64 %local_x.30
  store float %t.57, ptr %t.58, align 4, !llvm.access.group !0
  br label %element_head.59
element_head.59:
  %element.63 = phi i64 [ 0, %local_x_body.27 ], [ %element.63.next, %element_next.61 ]
  %t.64 = icmp slt i64 %element.63, 8
  br i1 %t.64, label %element_body.60, label %element_end.62
element_body.60:
  %t.65 = mul nsw i64 %element.63, 64
  %t.66 = add nsw i64 %t.65, %local_x.30
  %t.67 = getelementptr inbounds float, ptr %scratch0, i64 %t.66
  store float zeroinitializer, ptr %t.67, align 4, !llvm.access.group !0
  br label %element_next.61
element_next.61:
  %element.63.next = add nsw i64 %element.63, 1
  br label %element_head.59
element_end.62:
  br label %local_x_next.28
local_x_next.28:
  %local_x.30.next = add nsw i64 %local_x.30, 1
  br label %local_x_head.26, !llvm.loop !3
local_x_end.29:
  br label %k_head.68
k_head.68:
  %k.72 = phi i32 [ 0, %local_x_end.29 ], [ %k.72.next, %k_next.70 ]
  %t.73 = icmp slt i32 %k.72, 8
  br i1 %t.73, label %k_body.69, label %k_end.71
k_body.69:
  br label %local_x_head.74
local_x_head.74:
  %local_x.78 = phi i64 [ 0, %k_body.69 ], [ %local_x.78.next, %local_x_next.76 ]
  %t.79 = icmp slt i64 %local_x.78, 64
  br i1 %t.79, label %local_x_body.75, label %local_x_end.77
local_x_body.75:
  %t.80 = getelementptr inbounds float, ptr %scratch1, i64 %local_x.78
  %total.81 = load float, ptr %t.80, !llvm.access.group !0
  %t.82 = sext i32 %k.72 to i64
  %t.83 = mul nsw i64 %t.82, 64
  %t.84 = add nsw i64 %t.83, %local_x.78
  %place.85 = getelementptr inbounds float, ptr %scratch0, i64 %t.84
  %t.86 = sitofp i32 %k.72 to float
  %t.87 = fadd contract float %total.81, %t.86
  store float %t.87, ptr %place.85, align 4, !llvm.access.group !0
  br label %local_x_next.76
local_x_next.76:
  %local_x.78.next = add nsw i64 %local_x.78, 1
  br label %local_x_head.74, !llvm.loop !4
local_x_end.77:
  br label %k_next.70
k_next.70:
  %k.72.next = add nsw i32 %k.72, 1
  br label %k_head.68
k_end.71:
  br label %local_x_head.88
local_x_head.88:
  %local_x.92 = phi i64 [ 0, %k_end.71 ], [ %local_x.92.next, %local_x_next.90 ]
  %t.93 = icmp slt i64 %local_x.92, 64
  br i1 %t.93, label %local_x_body.89, label %local_x_end.91
local_x_body.89:
  %t.94 = mul nsw i32 %workgroup_id.13, 64
  %local_id.95 = trunc i64 %local_x.92 to i32
  %t.96 = add nsw i32 %t.94, %local_id.95
  %t.97 = sext i32 %workgroup_id.13 to i64
  %index.98 = mul nsw i64 %t.97, 64
  %index.99 = add nsw i64 %index.98, %local_x.92
  %place.100 = getelementptr inbounds i32, ptr %buffer2, i64 %index.99
  %picks.101 = load i32, ptr %place.100, align 4, !llvm.access.group !0
  %t.102 = and i32 %picks.101, 7
  %t.103 = sext i32 %t.102 to i64
  %t.104 = mul nsw i64 %t.103, 64
  %t.105 = add nsw i64 %t.104, %local_x.92
  %place.106 = getelementptr inbounds float, ptr %scratch0, i64 %t.105
  %table.107 = load float, ptr %place.106, align 4, !llvm.access.group !0
  %t.108 = sext i32 %workgroup_id.13 to i64
  %index.109 = mul nsw i64 %t.108, 64
  %index.110 = add nsw i64 %index.109, %local_x.92
  %place.111 = getelementptr inbounds float, ptr %buffer1, i64 %index.110
  store float %table.107, ptr %place.111, align 4, !llvm.access.group !0
  br label %local_x_next.90
local_x_next.90:
  %local_x.92.next = add nsw i64 %local_x.92, 1
  br label %local_x_head.88, !llvm.loop !5
local_x_end.91:
  br label %row_end.24
short_row.23:
  br label %local_x_head.112
local_x_head.112:
  %local_x.116 = phi i64 [ 0, %short_row.23 ], [ %local_x.116.next, %local_x_next.114 ]
  %t.117 = icmp slt i64 %local_x.116, %count.21
  br i1 %t.117, label %local_x_body.113, label %local_x_end.115
local_x_body.113:
  %t.118 = mul nsw i32 %workgroup_id.13, 64
  %local_id.119 = trunc i64 %local_x.116 to i32
  %t.120 = add nsw i32 %t.118, %local_id.119
  %t.121 = sext i32 %workgroup_id.13 to i64
  %index.122 = mul nsw i64 %t.121, 64
  %index.123 = add nsw i64 %index.122, %local_x.116
  %place.124 = getelementptr inbounds float, ptr %buffer0, i64 %index.123
  %x.125 = load float, ptr %place.124, align 4, !llvm.access.group !0
  %t.126 = sext i32 %workgroup_id.13 to i64
  %index.127 = mul nsw i64 %t.126, 64
  %index.128 = add nsw i64 %index.127, %local_x.116
  %place.129 = getelementptr inbounds float, ptr %buffer0, i64 %index.128
  %x.130 = load float, ptr %place.129, align 4, !llvm.access.group !0
  %t.131 = fmul contract float %x.125, %x.130
  %t.132 = sext i32 %workgroup_id.13 to i64
  %index.133 = mul nsw i64 %t.132, 64
  %index.134 = add nsw i64 %index.133, %local_x.116
  %place.135 = getelementptr inbounds float, ptr %buffer0, i64 %index.134
  %x.136 = load float, ptr %place.135, align 4, !llvm.access.group !0
  %t.137 = fmul contract float %t.131, %x.136
  %t.138 = fmul contract float %x.125, 0x3FE0000000000000
  %t.139 = fadd contract float 0x3FF0000000000000, %t.138
  %t.140 = fmul contract float %t.131, 0x3FD0000000000000
  %t.141 = fadd contract float %t.139, %t.140
  %t.142 = fmul contract float %t.137, 0x3FC0000000000000
  %t.143 = fadd contract float %t.141, %t.142
  call void @llvm.memset.p0.i64(ptr align 4 %table.144, i8 0, i64 32, i1 false)
  br label %k_head.145
k_head.145:
  %k.149 = phi i32 [ 0, %local_x_body.113 ], [ %k.149.next, %k_next.147 ]
  %t.150 = icmp slt i32 %k.149, 8
  br i1 %t.150, label %k_body.146, label %k_end.148
k_body.146:
  %t.151 = sext i32 %k.149 to i64
  %place.152 = getelementptr inbounds float, ptr %table.144, i64 %t.151
  %t.153 = sitofp i32 %k.149 to float
  %t.154 = fadd contract float %t.143, %t.153
  store float %t.154, ptr %place.152, align 4
  br label %k_next.147
k_next.147:
  %k.149.next = add nsw i32 %k.149, 1
  br label %k_head.145
k_end.148:
  %t.155 = sext i32 %workgroup_id.13 to i64
  %index.156 = mul nsw i64 %t.155, 64
  %index.157 = add nsw i64 %index.156, %local_x.116
  %place.158 = getelementptr inbounds i32, ptr %buffer2, i64 %index.157
  %picks.159 = load i32, ptr %place.158, align 4, !llvm.access.group !0
  %t.160 = and i32 %picks.159, 7
  %t.161 = sext i32 %t.160 to i64
  %place.162 = getelementptr inbounds float, ptr %table.144, i64 %t.161
  %table.163 = load float, ptr %place.162, align 4
  %t.164 = sext i32 %workgroup_id.13 to i64
  %index.165 = mul nsw i64 %t.164, 64
  %index.166 = add nsw i64 %index.165, %local_x.116
  %place.167 = getelementptr inbounds float, ptr %buffer1, i64 %index.166
  store float %table.163, ptr %place.167, align 4, !llvm.access.group !0
  br label %local_x_next.114
local_x_next.114:
  %local_x.116.next = add nsw i64 %local_x.116, 1
  br label %local_x_head.112, !llvm.loop !6
local_x_end.115:
  br label %row_end.24
row_end.24:
  br label %workgroup_next.3
workgroup_next.3:
  %workgroup.5.next = add nsw i64 %workgroup.5, 1
  br label %workgroup_head.1
workgroup_end.4:
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare i64 @llvm.smin.i64(i64, i64)

!0 = distinct !{}
!1 = !{!"llvm.loop.parallel_accesses", !0}
!2 = !{!"llvm.loop.unroll.disable"}
!3 = distinct !{!3, !1, !2}
!4 = distinct !{!4, !1, !2}
!5 = distinct !{!5, !1, !2}
!6 = distinct !{!6, !1, !2}
