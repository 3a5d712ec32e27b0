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
  br label %local_x_head.22
local_x_head.22:
  %local_x.26 = phi i64 [ 0, %workgroup_body.2 ], [ %local_x.26.next, %local_x_next.24 ]
  %t.27 = icmp slt i64 %local_x.26, %count.21
  br i1 %t.27, label %local_x_body.23, label %local_x_end.25
local_x_body.23:
  %t.28 = mul nsw i32 %workgroup_id.13, 64
  %local_id.29 = trunc i64 %local_x.26 to i32
  %t.30 = add nsw i32 %t.28, %local_id.29
  %t.31 = sext i32 %workgroup_id.13 to i64
  %index.32 = mul nsw i64 %t.31, 64
  %index.33 = add nsw i64 %index.32, %local_x.26
  %place.34 = getelementptr inbounds i32, ptr %buffer0, i64 %index.33
  %a.35 = load i32, ptr %place.34, align 4, !llvm.access.group !0
  %t.36 = sext i32 %workgroup_id.13 to i64
  %index.37 = mul nsw i64 %t.36, 64
  %index.38 = add nsw i64 %index.37, %local_x.26
  %place.39 = getelementptr inbounds i32, ptr %buffer1, i64 %index.38
  %b.40 = load i32, ptr %place.39, align 4, !llvm.access.group !0
  %t.41 = sext i32 %workgroup_id.13 to i64
  %index.42 = mul nsw i64 %t.41, 64
  %index.43 = add nsw i64 %index.42, %local_x.26
  %place.44 = getelementptr inbounds i32, ptr %buffer2, i64 %index.43
  %c.45 = load i32, ptr %place.44, align 4, !llvm.access.group !0
  %t.46 = icmp eq i32 %b.40, 0
  %t.47 = icmp eq i32 %b.40, -1
  %t.48 = or i1 %t.46, %t.47
  %t.49 = select i1 %t.48, i32 1, i32 %b.40
  %t.50 = srem i32 %a.35, %t.49
  %t.51 = icmp ne i32 %t.50, 0
  %t.52 = xor i32 %t.50, %t.49
  %t.53 = icmp slt i32 %t.52, 0
  %t.54 = and i1 %t.51, %t.53
  %t.55 = sdiv i32 %a.35, %t.49
  %t.56 = select i1 %t.54, i32 -1, i32 0
  %t.57 = add i32 %t.55, %t.56
  %t.58 = sub i32 0, %a.35
  %t.59 = select i1 %t.47, i32 %t.58, i32 %t.57
  %t.60 = icmp eq i32 %b.40, 0
  %t.61 = icmp eq i32 %b.40, -1
  %t.62 = or i1 %t.60, %t.61
  %t.63 = select i1 %t.62, i32 1, i32 %b.40
  %t.64 = srem i32 %a.35, %t.63
  %t.65 = icmp ne i32 %t.64, 0
  %t.66 = xor i32 %t.64, %t.63
  %t.67 = icmp slt i32 %t.66, 0
  %t.68 = and i1 %t.65, %t.67
  %t.69 = select i1 %t.68, i32 %t.63, i32 0
  %t.70 = add i32 %t.64, %t.69
  %t.71 = icmp eq i32 %b.40, 0
  %t.72 = icmp eq i32 %b.40, -1
  %t.73 = or i1 %t.71, %t.72
  %t.74 = select i1 %t.73, i32 1, i32 %b.40
  %t.75 = srem i32 %a.35, %t.74
  %t.76 = icmp ne i32 %t.75, 0
  %t.77 = xor i32 %t.75, %t.74
  %t.78 = icmp slt i32 %t.77, 0
  %t.79 = and i1 %t.76, %t.78
  %t.80 = sdiv i32 %a.35, %t.74
  %t.81 = sub i32 0, %a.35
  %t.82 = select i1 %t.72, i32 %t.81, i32 %t.80
  %t.83 = icmp eq i32 %b.40, 0
  %t.84 = icmp eq i32 %b.40, -1
  %t.85 = or i1 %t.83, %t.84
  %t.86 = select i1 %t.85, i32 1, i32 %b.40
  %t.87 = srem i32 %a.35, %t.86
  %t.88 = add i32 %t.82, %t.87
  %t.89 = and i32 %b.40, 31
  %t.90 = shl i32 %a.35, %t.89
  %t.91 = and i32 %b.40, 7
  %t.92 = and i32 %t.91, 31
  %t.93 = ashr i32 %a.35, %t.92
  %t.94 = xor i32 %t.90, %t.93
  %t.95 = sext i32 %workgroup_id.13 to i64
  %index.96 = mul nsw i64 %t.95, 64
  %index.97 = add nsw i64 %index.96, %local_x.26
  %place.98 = getelementptr inbounds i32, ptr %buffer3, i64 %index.97
  %t.99 = mul i32 %t.59, %t.70
  %t.100 = sub i32 %t.99, %t.88
  %t.101 = xor i32 %a.35, -1
  %t.102 = or i32 %t.94, %t.101
  %t.103 = add i32 %t.100, %t.102
  %t.104 = icmp eq i32 8, 0
  %t.105 = icmp eq i32 8, -1
  %t.106 = or i1 %t.104, %t.105
  %t.107 = select i1 %t.106, i32 1, i32 8
  %t.108 = srem i32 %a.35, %t.107
  %t.109 = icmp ne i32 %t.108, 0
  %t.110 = xor i32 %t.108, %t.107
  %t.111 = icmp slt i32 %t.110, 0
  %t.112 = and i1 %t.109, %t.111
  %t.113 = sdiv i32 %a.35, %t.107
  %t.114 = select i1 %t.112, i32 -1, i32 0
  %t.115 = add i32 %t.113, %t.114
  %t.116 = sub i32 0, %a.35
  %t.117 = select i1 %t.105, i32 %t.116, i32 %t.115
  %t.118 = add i32 %t.103, %t.117
  %t.119 = icmp eq i32 8, 0
  %t.120 = icmp eq i32 8, -1
  %t.121 = or i1 %t.119, %t.120
  %t.122 = select i1 %t.121, i32 1, i32 8
  %t.123 = srem i32 %b.40, %t.122
  %t.124 = icmp ne i32 %t.123, 0
  %t.125 = xor i32 %t.123, %t.122
  %t.126 = icmp slt i32 %t.125, 0
  %t.127 = and i1 %t.124, %t.126
  %t.128 = select i1 %t.127, i32 %t.122, i32 0
  %t.129 = add i32 %t.123, %t.128
  %t.130 = add i32 %t.118, %t.129
  %t.131 = call i32 @llvm.abs.i32(i32 %b.40, i1 false)
  %t.132 = sub i32 %t.130, %t.131
  store i32 %t.132, ptr %place.98, align 4, !llvm.access.group !0
  %t.133 = sext i32 %workgroup_id.13 to i64
  %index.134 = mul nsw i64 %t.133, 64
  %index.135 = add nsw i64 %index.134, %local_x.26
  %place.136 = getelementptr inbounds i32, ptr %buffer4, i64 %index.135
  %t.137 = udiv i32 %c.45, 10
  %t.138 = urem i32 %c.45, 10
  %t.139 = add nuw i32 %t.137, %t.138
  %t.140 = mul i32 %t.139, -1640531535
  %t.141 = and i32 16, 31
  %t.142 = lshr i32 %c.45, %t.141
  %t.143 = call i32 @llvm.ctpop.i32(i32 %c.45)
  %t.144 = call i32 @llvm.ctlz.i32(i32 %c.45, i1 false)
  %t.145 = add nuw i32 %t.143, %t.144
  %t.146 = call i32 @llvm.cttz.i32(i32 %c.45, i1 false)
  %t.147 = sub i32 %t.145, %t.146
  %t.148 = and i32 %t.142, %t.147
  %t.149 = xor i32 %t.140, %t.148
  %t.150 = call i32 @llvm.bitreverse.i32(i32 %c.45)
  %t.151 = or i32 %t.149, %t.150
  store i32 %t.151, ptr %place.136, align 4, !llvm.access.group !0
  br label %local_x_next.24
local_x_next.24:
  %local_x.26.next = add nsw i64 %local_x.26, 1
  br label %local_x_head.22, !llvm.loop !3
local_x_end.25:
  br label %workgroup_next.3
workgroup_next.3:
  %workgroup.5.next = add nsw i64 %workgroup.5, 1
  br label %workgroup_head.1
workgroup_end.4:
  ret void
}

declare i32 @llvm.abs.i32(i32, i1)
declare i32 @llvm.bitreverse.i32(i32)
declare i32 @llvm.ctlz.i32(i32, i1)
declare i32 @llvm.ctpop.i32(i32)
declare i32 @llvm.cttz.i32(i32, i1)
declare i64 @llvm.smin.i64(i64, i64)

!0 = distinct !{}
!1 = !{!"llvm.loop.parallel_accesses", !0}
!2 = !{!"llvm.loop.unroll.disable"}
!3 = distinct !{!3, !1, !2}
