; kernel saxpy
@gpucore_scratch_nbytes = constant i64 0

define void @gpucore_entry(ptr %buffers, ptr %scalars, ptr %scratch, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) nounwind {
entry:
  %t.1 = getelementptr ptr, ptr %buffers, i64 0
  %x.2 = load ptr, ptr %t.1
  %t.3 = getelementptr ptr, ptr %buffers, i64 1
  %y.4 = load ptr, ptr %t.3
  %t.5 = getelementptr i8, ptr %scalars, i64 0
  %a.6 = load float, ptr %t.5
  %t.7 = getelementptr i8, ptr %scalars, i64 4
  %y_shape_0_.8 = load i32, ptr %t.7
  call void @gpucore_workgroups(ptr %x.2, ptr %y.4, float %a.6, i32 %y_shape_0_.8, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last)
  ret void
}

define internal void @gpucore_workgroups(ptr noalias nonnull align 64 %buffer0, ptr noalias nonnull align 64 %buffer1, float %param0, i32 %param1, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) noinline nounwind {
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
  %t.22 = mul nsw i32 %workgroup_id.19, 256
  %t.23 = add nsw i32 0, %t.22
  %t.24 = sext i32 %t.23 to i64
  %t.25 = sext i32 %param1 to i64
  %room.26 = sub nsw i64 %t.25, %t.24
  %t.27 = call i64 @llvm.smin.i64(i64 %room.26, i64 256)
  %count.28 = call i64 @llvm.smax.i64(i64 %t.27, i64 0)
  %t.29 = and i64 %count.28, -8
  %t.30 = sub nsw i64 %count.28, %t.29
  br label %local_x_head.31
local_x_head.31:
  %local_x.35 = phi i64 [ 0, %workgroup_body.14 ], [ %local_x.35.next, %local_x_next.33 ]
  %t.36 = icmp slt i64 %local_x.35, %t.29
  br i1 %t.36, label %local_x_body.32, label %local_x_end.34
local_x_body.32:
  %t.37 = mul nsw i32 %workgroup_id.19, 256
  %local_id.38 = trunc i64 %local_x.35 to i32
  %t.39 = insertelement <8 x i32> poison, i32 %local_id.38, i32 0
  %t.40 = shufflevector <8 x i32> %t.39, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.41 = add nsw <8 x i32> %t.40, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.42 = insertelement <8 x i32> poison, i32 %t.37, i32 0
  %t.43 = shufflevector <8 x i32> %t.42, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.44 = add nsw <8 x i32> %t.43, %t.41
  %t.45 = sext i32 %workgroup_id.19 to i64
  %index.46 = mul i64 %t.45, 256
  %index.47 = add i64 %index.46, %local_x.35
  %t.48 = sext i32 %workgroup_id.19 to i64
  %index.49 = mul i64 %t.48, 256
  %index.50 = add i64 %index.49, %local_x.35
  %place.51 = getelementptr inbounds float, ptr %buffer0, i64 %index.50
  %x.52 = load <8 x float>, ptr %place.51, align 4
  %t.53 = sext i32 %workgroup_id.19 to i64
  %index.54 = mul i64 %t.53, 256
  %index.55 = add i64 %index.54, %local_x.35
  %place.56 = getelementptr inbounds float, ptr %buffer1, i64 %index.55
  %y.57 = load <8 x float>, ptr %place.56, align 4
  %t.58 = sext i32 %workgroup_id.19 to i64
  %index.59 = mul i64 %t.58, 256
  %index.60 = add i64 %index.59, %local_x.35
  %t.61 = insertelement <8 x float> poison, float %param0, i32 0
  %t.62 = shufflevector <8 x float> %t.61, <8 x float> poison, <8 x i32> zeroinitializer
  %t.63 = fmul contract <8 x float> %t.62, %x.52
  %t.64 = fadd contract <8 x float> %t.63, %y.57
  %place.65 = getelementptr inbounds float, ptr %buffer1, i64 %index.60
  store <8 x float> %t.64, ptr %place.65, align 4
  br label %local_x_next.33
local_x_next.33:
  %local_x.35.next = add nsw i64 %local_x.35, 8
  br label %local_x_head.31
local_x_end.34:
  %t.68 = icmp sgt i64 %t.30, 0
  br i1 %t.68, label %last_gang.67, label %row_end.66
last_gang.67:
  %t.69 = insertelement <8 x i64> poison, i64 %t.30, i32 0
  %t.70 = shufflevector <8 x i64> %t.69, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask.71 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %t.70
  %t.72 = mul nsw i32 %workgroup_id.19, 256
  %local_id.73 = trunc i64 %t.29 to i32
  %t.74 = insertelement <8 x i32> poison, i32 %local_id.73, i32 0
  %t.75 = shufflevector <8 x i32> %t.74, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.76 = add nsw <8 x i32> %t.75, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.77 = insertelement <8 x i32> poison, i32 %t.72, i32 0
  %t.78 = shufflevector <8 x i32> %t.77, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.79 = add nsw <8 x i32> %t.78, %t.76
  %t.80 = sext i32 %workgroup_id.19 to i64
  %index.81 = mul i64 %t.80, 256
  %index.82 = add i64 %index.81, %t.29
  %t.83 = sext i32 %workgroup_id.19 to i64
  %index.84 = mul i64 %t.83, 256
  %index.85 = add i64 %index.84, %t.29
  %place.86 = getelementptr float, ptr %buffer0, i64 %index.85
  %x.87 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %place.86, i32 4, <8 x i1> %mask.71, <8 x float> poison)
  %t.88 = sext i32 %workgroup_id.19 to i64
  %index.89 = mul i64 %t.88, 256
  %index.90 = add i64 %index.89, %t.29
  %place.91 = getelementptr float, ptr %buffer1, i64 %index.90
  %y.92 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %place.91, i32 4, <8 x i1> %mask.71, <8 x float> poison)
  %t.93 = sext i32 %workgroup_id.19 to i64
  %index.94 = mul i64 %t.93, 256
  %index.95 = add i64 %index.94, %t.29
  %t.96 = insertelement <8 x float> poison, float %param0, i32 0
  %t.97 = shufflevector <8 x float> %t.96, <8 x float> poison, <8 x i32> zeroinitializer
  %t.98 = fmul contract <8 x float> %t.97, %x.87
  %t.99 = fadd contract <8 x float> %t.98, %y.92
  %place.100 = getelementptr float, ptr %buffer1, i64 %index.95
  call void @llvm.masked.store.v8f32.p0(<8 x float> %t.99, ptr %place.100, i32 4, <8 x i1> %mask.71)
  br label %row_end.66
row_end.66:
  %t.101 = zext i1 true to i32
  %t.102 = add nuw i32 %workgroup_id.19, %t.101
  %t.103 = icmp eq i32 %t.102, %gx
  %t.104 = select i1 %t.103, i32 0, i32 %t.102
  store i32 %t.104, ptr %workgroup_id.7
  %t.105 = zext i1 %t.103 to i32
  %t.106 = add nuw i32 %workgroup_id.20, %t.105
  %t.107 = icmp eq i32 %t.106, %gy
  %t.108 = select i1 %t.107, i32 0, i32 %t.106
  store i32 %t.108, ptr %workgroup_id.9
  %t.109 = zext i1 %t.107 to i32
  %t.110 = add nuw i32 %workgroup_id.21, %t.109
  %t.111 = icmp eq i32 %t.110, %gz
  %t.112 = select i1 %t.111, i32 0, i32 %t.110
  store i32 %t.112, ptr %workgroup_id.11
  br label %workgroup_next.15
workgroup_next.15:
  %workgroup.17.next = add nsw i64 %workgroup.17, 1
  br label %workgroup_head.13
workgroup_end.16:
  ret void
}

declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
