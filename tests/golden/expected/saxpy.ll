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
  %t.16 = mul nsw i32 %workgroup_id.13, 256
  %t.17 = add nsw i32 0, %t.16
  %t.18 = sext i32 %t.17 to i64
  %t.19 = sext i32 %param1 to i64
  %room.20 = sub nsw i64 %t.19, %t.18
  %t.21 = call i64 @llvm.smin.i64(i64 %room.20, i64 256)
  %count.22 = call i64 @llvm.smax.i64(i64 %t.21, i64 0)
  %t.23 = and i64 %count.22, -8
  %t.24 = sub nsw i64 %count.22, %t.23
  br label %local_x_head.25
local_x_head.25:
  %local_x.29 = phi i64 [ 0, %workgroup_body.2 ], [ %local_x.29.next, %local_x_next.27 ]
  %t.30 = icmp slt i64 %local_x.29, %t.23
  br i1 %t.30, label %local_x_body.26, label %local_x_end.28
local_x_body.26:
  %t.31 = mul nsw i32 %workgroup_id.13, 256
  %local_id.32 = trunc i64 %local_x.29 to i32
  %t.33 = insertelement <8 x i32> poison, i32 %local_id.32, i32 0
  %t.34 = shufflevector <8 x i32> %t.33, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.35 = add nsw <8 x i32> %t.34, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.36 = insertelement <8 x i32> poison, i32 %t.31, i32 0
  %t.37 = shufflevector <8 x i32> %t.36, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.38 = add nsw <8 x i32> %t.37, %t.35
  %t.39 = sext i32 %workgroup_id.13 to i64
  %index.40 = mul i64 %t.39, 256
  %index.41 = add i64 %index.40, %local_x.29
  %t.42 = sext i32 %workgroup_id.13 to i64
  %index.43 = mul i64 %t.42, 256
  %index.44 = add i64 %index.43, %local_x.29
  %place.45 = getelementptr inbounds float, ptr %buffer0, i64 %index.44
  %x.46 = load <8 x float>, ptr %place.45, align 4
  %t.47 = sext i32 %workgroup_id.13 to i64
  %index.48 = mul i64 %t.47, 256
  %index.49 = add i64 %index.48, %local_x.29
  %place.50 = getelementptr inbounds float, ptr %buffer1, i64 %index.49
  %y.51 = load <8 x float>, ptr %place.50, align 4
  %t.52 = sext i32 %workgroup_id.13 to i64
  %index.53 = mul i64 %t.52, 256
  %index.54 = add i64 %index.53, %local_x.29
  %t.55 = insertelement <8 x float> poison, float %param0, i32 0
  %t.56 = shufflevector <8 x float> %t.55, <8 x float> poison, <8 x i32> zeroinitializer
  %t.57 = fmul contract <8 x float> %t.56, %x.46
  %t.58 = fadd contract <8 x float> %t.57, %y.51
  %place.59 = getelementptr inbounds float, ptr %buffer1, i64 %index.54
  store <8 x float> %t.58, ptr %place.59, align 4
  br label %local_x_next.27
local_x_next.27:
  %local_x.29.next = add nsw i64 %local_x.29, 8
  br label %local_x_head.25
local_x_end.28:
  %t.62 = icmp sgt i64 %t.24, 0
  br i1 %t.62, label %last_gang.61, label %row_end.60
last_gang.61:
  %t.63 = insertelement <8 x i64> poison, i64 %t.24, i32 0
  %t.64 = shufflevector <8 x i64> %t.63, <8 x i64> poison, <8 x i32> zeroinitializer
  %mask.65 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %t.64
  %t.66 = mul nsw i32 %workgroup_id.13, 256
  %local_id.67 = trunc i64 %t.23 to i32
  %t.68 = insertelement <8 x i32> poison, i32 %local_id.67, i32 0
  %t.69 = shufflevector <8 x i32> %t.68, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.70 = add nsw <8 x i32> %t.69, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.71 = insertelement <8 x i32> poison, i32 %t.66, i32 0
  %t.72 = shufflevector <8 x i32> %t.71, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.73 = add nsw <8 x i32> %t.72, %t.70
  %t.74 = sext i32 %workgroup_id.13 to i64
  %index.75 = mul i64 %t.74, 256
  %index.76 = add i64 %index.75, %t.23
  %t.77 = sext i32 %workgroup_id.13 to i64
  %index.78 = mul i64 %t.77, 256
  %index.79 = add i64 %index.78, %t.23
  %place.80 = getelementptr inbounds float, ptr %buffer0, i64 %index.79
  %x.81 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %place.80, i32 4, <8 x i1> %mask.65, <8 x float> poison)
  %t.82 = sext i32 %workgroup_id.13 to i64
  %index.83 = mul i64 %t.82, 256
  %index.84 = add i64 %index.83, %t.23
  %place.85 = getelementptr inbounds float, ptr %buffer1, i64 %index.84
  %y.86 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %place.85, i32 4, <8 x i1> %mask.65, <8 x float> poison)
  %t.87 = sext i32 %workgroup_id.13 to i64
  %index.88 = mul i64 %t.87, 256
  %index.89 = add i64 %index.88, %t.23
  %t.90 = insertelement <8 x float> poison, float %param0, i32 0
  %t.91 = shufflevector <8 x float> %t.90, <8 x float> poison, <8 x i32> zeroinitializer
  %t.92 = fmul contract <8 x float> %t.91, %x.81
  %t.93 = fadd contract <8 x float> %t.92, %y.86
  %place.94 = getelementptr inbounds float, ptr %buffer1, i64 %index.89
  call void @llvm.masked.store.v8f32.p0(<8 x float> %t.93, ptr %place.94, i32 4, <8 x i1> %mask.65)
  br label %row_end.60
row_end.60:
  br label %workgroup_next.3
workgroup_next.3:
  %workgroup.5.next = add nsw i64 %workgroup.5, 1
  br label %workgroup_head.1
workgroup_end.4:
  ret void
}

declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
