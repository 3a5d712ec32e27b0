; kernel collatz
@gpucore_scratch_nbytes = constant i64 512

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
  %t.9 = getelementptr i8, ptr %scratch, i64 0
  %t.10 = getelementptr i8, ptr %scratch, i64 256
  call void @gpucore_workgroups(ptr %starts.2, ptr %steps.4, i32 %starts_shape_0_.6, i32 %limit.8, ptr %t.9, ptr %t.10, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last)
  ret void
}

define internal void @gpucore_workgroups(ptr noalias nonnull align 64 %buffer0, ptr noalias nonnull align 64 %buffer1, i32 %param0, i32 %param1, ptr noalias nonnull align 64 %scratch0, ptr noalias nonnull align 64 %scratch1, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) noinline nounwind {
entry:
  %count.32 = alloca i32, align 4
  %bonus.33 = alloca i32, align 4
  %value.42 = alloca i32, align 4
  %bonus.86 = alloca i32, align 4
  %count.103 = alloca i32, align 4
  %bonus.106 = alloca i32, align 4
  %value.130 = alloca i32, align 4
  %count.131 = alloca i32, align 4
  %bonus.155 = alloca i32, align 4
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
  %t.34 = mul nsw i32 %workgroup_id.13, 64
  %local_id.35 = trunc i64 %local_x.30 to i32
  %t.36 = add nsw i32 %t.34, %local_id.35
  %t.37 = sext i32 %workgroup_id.13 to i64
  %index.38 = mul nsw i64 %t.37, 64
  %index.39 = add nsw i64 %index.38, %local_x.30
  %place.40 = getelementptr inbounds i32, ptr %buffer0, i64 %index.39
  %starts.41 = load i32, ptr %place.40, align 4, !llvm.access.group !0
  store i32 %starts.41, ptr %value.42, align 4
  store i32 0, ptr %count.32, align 4
  br label %loop.43
loop.43:
  %value.45 = load i32, ptr %value.42
  %t.46 = icmp ule i32 %value.45, 1
  %count.47 = load i32, ptr %count.32
  %t.48 = icmp sge i32 %count.47, %param1
  %t.49 = or i1 %t.46, %t.48
  br i1 %t.49, label %then.50, label %endif.52
then.50:
  br label %loop_end.44
endif.52:
  %count.53 = load i32, ptr %count.32
  %t.54 = add i32 %count.53, 1
  store i32 %t.54, ptr %count.32, align 4
  %value.55 = load i32, ptr %value.42
  %t.56 = urem i32 %value.55, 2
  %t.57 = icmp eq i32 %t.56, 0
  br i1 %t.57, label %then.58, label %endif.60
then.58:
  %value.61 = load i32, ptr %value.42
  %t.62 = udiv i32 %value.61, 2
  store i32 %t.62, ptr %value.42, align 4
  br label %loop.43
endif.60:
  %value.63 = load i32, ptr %value.42
  %t.64 = mul i32 %value.63, 3
  %t.65 = add i32 %t.64, 1
  store i32 %t.65, ptr %value.42, align 4
  br label %loop.43
loop_end.44:
  store i32 0, ptr %bonus.33, align 4
  %count.66 = load i32, ptr %count.32
  %t.67 = getelementptr inbounds i32, ptr %scratch0, i64 %local_x.30
  store i32 %count.66, ptr %t.67, align 4, !llvm.access.group !0
  %bonus.68 = load i32, ptr %bonus.33
  %t.69 = getelementptr inbounds i32, ptr %scratch1, i64 %local_x.30
  store i32 %bonus.68, ptr %t.69, align 4, !llvm.access.group !0
  br label %local_x_next.28
local_x_next.28:
  %local_x.30.next = add nsw i64 %local_x.30, 1
  br label %local_x_head.26, !llvm.loop !3
local_x_end.29:
  br label %trip_head.70
trip_head.70:
  %trip.74 = phi i32 [ 0, %local_x_end.29 ], [ %trip.74.next, %trip_next.72 ]
  %t.75 = icmp ult i32 %trip.74, 4
  br i1 %t.75, label %trip_body.71, label %trip_end.73
trip_body.71:
  %t.76 = mul nsw i32 %trip.74, -3
  %t.77 = add nsw i32 %t.76, 10
  %t.78 = urem i32 %t.77, 2
  %t.79 = icmp eq i32 %t.78, 0
  br label %local_x_head.80
local_x_head.80:
  %local_x.84 = phi i64 [ 0, %trip_body.71 ], [ %local_x.84.next, %local_x_next.82 ]
  %t.85 = icmp slt i64 %local_x.84, 64
  br i1 %t.85, label %local_x_body.81, label %local_x_end.83
local_x_body.81:
  %t.87 = getelementptr inbounds i32, ptr %scratch1, i64 %local_x.84
  %bonus.88 = load i32, ptr %t.87, !llvm.access.group !0
  store i32 %bonus.88, ptr %bonus.86, align 4
  %bonus.89 = load i32, ptr %bonus.86
  %t.90 = select i1 %t.79, i32 %t.77, i32 -1
  %t.91 = add i32 %bonus.89, %t.90
  store i32 %t.91, ptr %bonus.86, align 4
  %bonus.92 = load i32, ptr %bonus.86
  %t.93 = getelementptr inbounds i32, ptr %scratch1, i64 %local_x.84
  store i32 %bonus.92, ptr %t.93, align 4, !llvm.access.group !0
  br label %local_x_next.82
local_x_next.82:
  %local_x.84.next = add nsw i64 %local_x.84, 1
  br label %local_x_head.80, !llvm.loop !4
local_x_end.83:
  br label %trip_next.72
trip_next.72:
  %trip.74.next = add nuw i32 %trip.74, 1
  br label %trip_head.70
trip_end.73:
  br label %local_x_head.94
local_x_head.94:
  %local_x.98 = phi i64 [ 0, %trip_end.73 ], [ %local_x.98.next, %local_x_next.96 ]
  %t.99 = icmp slt i64 %local_x.98, 64
  br i1 %t.99, label %local_x_body.95, label %local_x_end.97
local_x_body.95:
  %t.100 = mul nsw i32 %workgroup_id.13, 64
  %local_id.101 = trunc i64 %local_x.98 to i32
  %t.102 = add nsw i32 %t.100, %local_id.101
  %t.104 = getelementptr inbounds i32, ptr %scratch0, i64 %local_x.98
  %count.105 = load i32, ptr %t.104, !llvm.access.group !0
  store i32 %count.105, ptr %count.103, align 4
  %t.107 = getelementptr inbounds i32, ptr %scratch1, i64 %local_x.98
  %bonus.108 = load i32, ptr %t.107, !llvm.access.group !0
  store i32 %bonus.108, ptr %bonus.106, align 4
  %t.109 = sext i32 %workgroup_id.13 to i64
  %index.110 = mul nsw i64 %t.109, 64
  %index.111 = add nsw i64 %index.110, %local_x.98
  %place.112 = getelementptr inbounds i32, ptr %buffer1, i64 %index.111
  %count.113 = load i32, ptr %count.103
  %bonus.114 = load i32, ptr %bonus.106
  %t.115 = add i32 %count.113, %bonus.114
  store i32 %t.115, ptr %place.112, align 4, !llvm.access.group !0
  br label %local_x_next.96
local_x_next.96:
  %local_x.98.next = add nsw i64 %local_x.98, 1
  br label %local_x_head.94, !llvm.loop !5
local_x_end.97:
  br label %row_end.24
short_row.23:
  br label %local_x_head.116
local_x_head.116:
  %local_x.120 = phi i64 [ 0, %short_row.23 ], [ %local_x.120.next, %local_x_next.118 ]
  %t.121 = icmp slt i64 %local_x.120, %count.21
  br i1 %t.121, label %local_x_body.117, label %local_x_end.119
local_x_body.117:
  %t.122 = mul nsw i32 %workgroup_id.13, 64
  %local_id.123 = trunc i64 %local_x.120 to i32
  %t.124 = add nsw i32 %t.122, %local_id.123
  %t.125 = sext i32 %workgroup_id.13 to i64
  %index.126 = mul nsw i64 %t.125, 64
  %index.127 = add nsw i64 %index.126, %local_x.120
  %place.128 = getelementptr inbounds i32, ptr %buffer0, i64 %index.127
  %starts.129 = load i32, ptr %place.128, align 4, !llvm.access.group !0
  store i32 %starts.129, ptr %value.130, align 4
  store i32 0, ptr %count.131, align 4
  br label %loop.132
loop.132:
  %value.134 = load i32, ptr %value.130
  %t.135 = icmp ule i32 %value.134, 1
  %count.136 = load i32, ptr %count.131
  %t.137 = icmp sge i32 %count.136, %param1
  %t.138 = or i1 %t.135, %t.137
  br i1 %t.138, label %then.139, label %endif.141
then.139:
  br label %loop_end.133
endif.141:
  %count.142 = load i32, ptr %count.131
  %t.143 = add i32 %count.142, 1
  store i32 %t.143, ptr %count.131, align 4
  %value.144 = load i32, ptr %value.130
  %t.145 = urem i32 %value.144, 2
  %t.146 = icmp eq i32 %t.145, 0
  br i1 %t.146, label %then.147, label %endif.149
then.147:
  %value.150 = load i32, ptr %value.130
  %t.151 = udiv i32 %value.150, 2
  store i32 %t.151, ptr %value.130, align 4
  br label %loop.132
endif.149:
  %value.152 = load i32, ptr %value.130
  %t.153 = mul i32 %value.152, 3
  %t.154 = add i32 %t.153, 1
  store i32 %t.154, ptr %value.130, align 4
  br label %loop.132
loop_end.133:
  store i32 0, ptr %bonus.155, align 4
  br label %trip_head.156
trip_head.156:
  %trip.160 = phi i32 [ 0, %loop_end.133 ], [ %trip.160.next, %trip_next.158 ]
  %t.161 = icmp ult i32 %trip.160, 4
  br i1 %t.161, label %trip_body.157, label %trip_end.159
trip_body.157:
  %t.162 = mul nsw i32 %trip.160, -3
  %t.163 = add nsw i32 %t.162, 10
  %t.164 = urem i32 %t.163, 2
  %t.165 = icmp eq i32 %t.164, 0
  %bonus.166 = load i32, ptr %bonus.155
  %t.167 = select i1 %t.165, i32 %t.163, i32 -1
  %t.168 = add i32 %bonus.166, %t.167
  store i32 %t.168, ptr %bonus.155, align 4
  br label %trip_next.158
trip_next.158:
  %trip.160.next = add nuw i32 %trip.160, 1
  br label %trip_head.156
trip_end.159:
  %t.169 = sext i32 %workgroup_id.13 to i64
  %index.170 = mul nsw i64 %t.169, 64
  %index.171 = add nsw i64 %index.170, %local_x.120
  %place.172 = getelementptr inbounds i32, ptr %buffer1, i64 %index.171
  %count.173 = load i32, ptr %count.131
  %bonus.174 = load i32, ptr %bonus.155
  %t.175 = add i32 %count.173, %bonus.174
  store i32 %t.175, ptr %place.172, align 4, !llvm.access.group !0
  br label %local_x_next.118
local_x_next.118:
  %local_x.120.next = add nsw i64 %local_x.120, 1
  br label %local_x_head.116, !llvm.loop !6
local_x_end.119:
  br label %row_end.24
row_end.24:
  br label %workgroup_next.3
workgroup_next.3:
  %workgroup.5.next = add nsw i64 %workgroup.5, 1
  br label %workgroup_head.1
workgroup_end.4:
  ret void
}

declare i64 @llvm.smin.i64(i64, i64)

!0 = distinct !{}
!1 = !{!"llvm.loop.parallel_accesses", !0}
!2 = !{!"llvm.loop.unroll.disable"}
!3 = distinct !{!3, !1, !2}
!4 = distinct !{!4, !1, !2}
!5 = distinct !{!5, !1, !2}
!6 = distinct !{!6, !1, !2}
