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
  br label %local_x_head.16
local_x_head.16:
  %local_x.20 = phi i64 [ 0, %workgroup_body.2 ], [ %local_x.20.next, %local_x_next.18 ]
  %t.21 = icmp slt i64 %local_x.20, 256
  br i1 %t.21, label %local_x_body.17, label %local_x_end.19
local_x_body.17:
  %t.22 = mul nsw i32 %workgroup_id.13, 256
  %local_id.23 = trunc i64 %local_x.20 to i32
  %t.24 = add nsw i32 %t.22, %local_id.23
  %place.25 = getelementptr inbounds i32, ptr %scratch0, i64 %local_x.20
  store atomic i32 0, ptr %place.25 monotonic, align 4
  br label %local_x_next.18
local_x_next.18:
  %local_x.20.next = add nsw i64 %local_x.20, 1
  br label %local_x_head.16
local_x_end.19:
  ; barrier: every invocation has run the region above
  %t.26 = mul nsw i32 %workgroup_id.13, 256
  %t.27 = add nsw i32 0, %t.26
  %t.28 = sext i32 %t.27 to i64
  %t.29 = sext i32 %param0 to i64
  %room.30 = sub nsw i64 %t.29, %t.28
  %count.31 = call i64 @llvm.smin.i64(i64 %room.30, i64 256)
  br label %local_x_head.32
local_x_head.32:
  %local_x.36 = phi i64 [ 0, %local_x_end.19 ], [ %local_x.36.next, %local_x_next.34 ]
  %t.37 = icmp slt i64 %local_x.36, %count.31
  br i1 %t.37, label %local_x_body.33, label %local_x_end.35
local_x_body.33:
  %t.38 = mul nsw i32 %workgroup_id.13, 256
  %local_id.39 = trunc i64 %local_x.36 to i32
  %t.40 = add nsw i32 %t.38, %local_id.39
  %t.41 = sext i32 %workgroup_id.13 to i64
  %index.42 = mul nsw i64 %t.41, 256
  %index.43 = add nsw i64 %index.42, %local_x.36
  %place.44 = getelementptr inbounds i32, ptr %buffer0, i64 %index.43
  %values.45 = load i32, ptr %place.44, align 4
  %t.46 = and i32 %values.45, 255
  %t.47 = sext i32 %t.46 to i64
  %place.48 = getelementptr inbounds i32, ptr %scratch0, i64 %t.47
  %t.49 = load i32, ptr %place.48, align 4
  %t.50 = add i32 %t.49, 1
  store i32 %t.50, ptr %place.48, align 4
  %place.51 = getelementptr inbounds i32, ptr %buffer2, i64 0
  %t.52 = atomicrmw min ptr %place.51, i32 %t.46 monotonic
  %place.53 = getelementptr inbounds i32, ptr %buffer2, i64 1
  %t.54 = atomicrmw max ptr %place.53, i32 %t.46 monotonic
  %place.55 = getelementptr inbounds i32, ptr %buffer2, i64 2
  %t.56 = add nsw i32 %t.46, 1
  %t.57 = cmpxchg ptr %place.55, i32 0, i32 %t.56 monotonic monotonic
  %t.58 = extractvalue { i32, i1 } %t.57, 0
  %t.59 = icmp eq i32 %t.58, 0
  br i1 %t.59, label %then.60, label %endif.62
then.60:
  %place.63 = getelementptr inbounds i32, ptr %buffer2, i64 3
  %t.64 = atomicrmw xchg ptr %place.63, i32 %t.40 monotonic
  br label %endif.62
endif.62:
  br label %local_x_next.34
local_x_next.34:
  %local_x.36.next = add nsw i64 %local_x.36, 1
  br label %local_x_head.32
local_x_end.35:
  ; barrier: every invocation has run the region above
  br label %local_x_head.65
local_x_head.65:
  %local_x.69 = phi i64 [ 0, %local_x_end.35 ], [ %local_x.69.next, %local_x_next.67 ]
  %t.70 = icmp slt i64 %local_x.69, 256
  br i1 %t.70, label %local_x_body.66, label %local_x_end.68
local_x_body.66:
  %place.71 = getelementptr inbounds i32, ptr %scratch0, i64 %local_x.69
  %t.72 = load i32, ptr %place.71, align 4
  %t.73 = icmp ugt i32 %t.72, 0
  br i1 %t.73, label %then.74, label %endif.76
then.74:
  %place.77 = getelementptr inbounds i32, ptr %buffer1, i64 %local_x.69
  %t.78 = atomicrmw add ptr %place.77, i32 %t.72 monotonic
  br label %endif.76
endif.76:
  br label %local_x_next.67
local_x_next.67:
  %local_x.69.next = add nsw i64 %local_x.69, 1
  br label %local_x_head.65
local_x_end.68:
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
