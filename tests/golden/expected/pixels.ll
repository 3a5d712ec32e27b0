; kernel pixels
@gpucore_scratch_nbytes = constant i64 0

define void @gpucore_entry(ptr %buffers, ptr %scalars, ptr %scratch, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) nounwind {
entry:
  %t.1 = getelementptr ptr, ptr %buffers, i64 0
  %gray.2 = load ptr, ptr %t.1
  %t.3 = getelementptr ptr, ptr %buffers, i64 1
  %image.4 = load ptr, ptr %t.3
  %t.5 = getelementptr ptr, ptr %buffers, i64 2
  %edges.6 = load ptr, ptr %t.5
  %t.7 = getelementptr i8, ptr %scalars, i64 0
  %image_shape_0_.8 = load i32, ptr %t.7
  %t.9 = getelementptr i8, ptr %scalars, i64 4
  %edges_shape_0_.10 = load i32, ptr %t.9
  call void @gpucore_workgroups(ptr %gray.2, ptr %image.4, ptr %edges.6, i32 %image_shape_0_.8, i32 %edges_shape_0_.10, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last)
  ret void
}

define internal void @gpucore_workgroups(ptr noalias nonnull align 64 %buffer0, ptr noalias nonnull align 64 %buffer1, ptr noalias nonnull align 64 %buffer2, i32 %param0, i32 %param1, i32 %gx, i32 %gy, i32 %gz, i64 %first, i64 %last) noinline nounwind {
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
  br label %local_x_head.22
local_x_head.22:
  %local_x.26 = phi i64 [ 0, %workgroup_body.14 ], [ %local_x.26.next, %local_x_next.24 ]
  %t.27 = icmp slt i64 %local_x.26, 64
  br i1 %t.27, label %local_x_body.23, label %local_x_end.25
local_x_body.23:
  %t.28 = mul nsw i32 %workgroup_id.19, 64
  %local_id.29 = trunc i64 %local_x.26 to i32
  %t.30 = insertelement <8 x i32> poison, i32 %local_id.29, i32 0
  %t.31 = shufflevector <8 x i32> %t.30, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.32 = add nsw <8 x i32> %t.31, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %t.33 = insertelement <8 x i32> poison, i32 %t.28, i32 0
  %t.34 = shufflevector <8 x i32> %t.33, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.35 = add nsw <8 x i32> %t.34, %t.32
  %t.36 = sext i32 %workgroup_id.19 to i64
  %index.37 = mul i64 %t.36, 64
  %index.38 = add i64 %index.37, %local_x.26
  %t.39 = insertelement <8 x i32> poison, i32 %param0, i32 0
  %t.40 = shufflevector <8 x i32> %t.39, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.41 = icmp slt <8 x i32> %t.35, %t.40
  %t.45 = bitcast <8 x i1> %t.41 to i8
  %t.46 = icmp ne i8 %t.45, 0
  br i1 %t.46, label %lanes.43, label %endlanes.44
lanes.43:
  %t.47 = sext i32 %workgroup_id.19 to i64
  %index.48 = mul i64 %t.47, 64
  %index.49 = add i64 %index.48, %local_x.26
  %place.50 = getelementptr i8, ptr %buffer0, i64 %index.49
  %gray.51 = call <8 x i8> @llvm.masked.load.v8i8.p0(ptr %place.50, i32 1, <8 x i1> %t.41, <8 x i8> poison)
  %t.52 = sext i32 %workgroup_id.19 to i64
  %index.53 = mul i64 %t.52, 64
  %index.54 = add i64 %index.53, %local_x.26
  %place.55 = getelementptr i8, ptr %buffer0, i64 %index.54
  %gray.56 = call <8 x i8> @llvm.masked.load.v8i8.p0(ptr %place.55, i32 1, <8 x i1> %t.41, <8 x i8> poison)
  %t.57 = sext i32 %workgroup_id.19 to i64
  %index.58 = mul i64 %t.57, 64
  %index.59 = add i64 %index.58, %local_x.26
  %place.60 = getelementptr i8, ptr %buffer0, i64 %index.59
  %gray.61 = call <8 x i8> @llvm.masked.load.v8i8.p0(ptr %place.60, i32 1, <8 x i1> %t.41, <8 x i8> poison)
  %t.62 = zext <8 x i8> %gray.61 to <8 x i32>
  %t.63 = sub nuw <8 x i32> <i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255>, %t.62
  %t.64 = trunc <8 x i32> %t.63 to <8 x i8>
  %t.65 = sext i32 %workgroup_id.19 to i64
  %index.66 = mul i64 %t.65, 64
  %index.67 = add i64 %index.66, %local_x.26
  %t.68 = insertelement <8 x i64> poison, i64 %index.67, i32 0
  %t.69 = shufflevector <8 x i64> %t.68, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.70 = add nsw <8 x i64> %t.69, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %places.71 = getelementptr inbounds [4 x i8], ptr %buffer1, <8 x i64> %t.70, i64 0
  call void @llvm.masked.scatter.v8i8.v8p0(<8 x i8> %gray.51, <8 x ptr> %places.71, i32 1, <8 x i1> %t.41)
  %t.72 = sext i32 %workgroup_id.19 to i64
  %index.73 = mul i64 %t.72, 64
  %index.74 = add i64 %index.73, %local_x.26
  %t.75 = insertelement <8 x i64> poison, i64 %index.74, i32 0
  %t.76 = shufflevector <8 x i64> %t.75, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.77 = add nsw <8 x i64> %t.76, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %places.78 = getelementptr inbounds [4 x i8], ptr %buffer1, <8 x i64> %t.77, i64 1
  call void @llvm.masked.scatter.v8i8.v8p0(<8 x i8> %gray.56, <8 x ptr> %places.78, i32 1, <8 x i1> %t.41)
  %t.79 = sext i32 %workgroup_id.19 to i64
  %index.80 = mul i64 %t.79, 64
  %index.81 = add i64 %index.80, %local_x.26
  %t.82 = insertelement <8 x i64> poison, i64 %index.81, i32 0
  %t.83 = shufflevector <8 x i64> %t.82, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.84 = add nsw <8 x i64> %t.83, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %places.85 = getelementptr inbounds [4 x i8], ptr %buffer1, <8 x i64> %t.84, i64 2
  call void @llvm.masked.scatter.v8i8.v8p0(<8 x i8> %t.64, <8 x ptr> %places.85, i32 1, <8 x i1> %t.41)
  %t.86 = sext i32 %workgroup_id.19 to i64
  %index.87 = mul i64 %t.86, 64
  %index.88 = add i64 %index.87, %local_x.26
  %t.89 = insertelement <8 x i64> poison, i64 %index.88, i32 0
  %t.90 = shufflevector <8 x i64> %t.89, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.91 = add nsw <8 x i64> %t.90, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %places.92 = getelementptr inbounds [4 x i8], ptr %buffer1, <8 x i64> %t.91, i64 3
  call void @llvm.masked.scatter.v8i8.v8p0(<8 x i8> <i8 -1, i8 -1, i8 -1, i8 -1, i8 -1, i8 -1, i8 -1, i8 -1>, <8 x ptr> %places.92, i32 1, <8 x i1> %t.41)
  %t.93 = sext i32 %workgroup_id.19 to i64
  %index.94 = mul i64 %t.93, 64
  %index.95 = add i64 %index.94, %local_x.26
  %place.96 = getelementptr i8, ptr %buffer0, i64 %index.95
  %gray.97 = call <8 x i8> @llvm.masked.load.v8i8.p0(ptr %place.96, i32 1, <8 x i1> %t.41, <8 x i8> poison)
  %t.98 = sext i32 %workgroup_id.19 to i64
  %index.99 = mul i64 %t.98, 64
  %index.100 = add i64 %index.99, %local_x.26
  %t.101 = zext <8 x i8> %gray.97 to <8 x i32>
  %t.102 = udiv <8 x i32> %t.101, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %t.103 = trunc <8 x i32> %t.102 to <8 x i8>
  %t.104 = insertelement <8 x i64> poison, i64 %index.100, i32 0
  %t.105 = shufflevector <8 x i64> %t.104, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.106 = add nsw <8 x i64> %t.105, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %places.107 = getelementptr inbounds [4 x i8], ptr %buffer1, <8 x i64> %t.106, i64 1
  call void @llvm.masked.scatter.v8i8.v8p0(<8 x i8> %t.103, <8 x ptr> %places.107, i32 1, <8 x i1> %t.41)
  br label %endlanes.44
endlanes.44:
  %t.108 = mul <8 x i32> %t.35, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %t.109 = add <8 x i32> %t.108, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t.110 = insertelement <8 x i32> poison, i32 %param1, i32 0
  %t.111 = shufflevector <8 x i32> %t.110, <8 x i32> poison, <8 x i32> zeroinitializer
  %t.112 = icmp slt <8 x i32> %t.109, %t.111
  %t.114 = mul <8 x i32> %t.35, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %index.115 = mul i64 %index.38, 2
  %t.116 = trunc i64 %index.115 to i32
  %t.117 = sext i32 %t.116 to i64
  %t.118 = trunc <8 x i32> %t.35 to <8 x i16>
  %t.119 = insertelement <8 x i64> poison, i64 %t.117, i32 0
  %t.120 = shufflevector <8 x i64> %t.119, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.121 = add nsw <8 x i64> %t.120, <i64 0, i64 2, i64 4, i64 6, i64 8, i64 10, i64 12, i64 14>
  %places.122 = getelementptr inbounds i16, ptr %buffer2, <8 x i64> %t.121
  call void @llvm.masked.scatter.v8i16.v8p0(<8 x i16> %t.118, <8 x ptr> %places.122, i32 2, <8 x i1> %t.112)
  %index.123 = mul i64 %index.38, 2
  %t.124 = mul <8 x i32> %t.35, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %t.125 = mul <8 x i32> %t.35, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %t.126 = mul <8 x i32> %t.35, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %t.127 = add <8 x i32> %t.126, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %index.128 = mul i64 %index.38, 2
  %index.129 = add i64 %index.128, 1
  %t.130 = trunc i64 %index.129 to i32
  %t.131 = sext i32 %t.130 to i64
  %t.132 = sub <8 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>, %t.35
  %t.133 = trunc <8 x i32> %t.132 to <8 x i16>
  %t.134 = insertelement <8 x i64> poison, i64 %t.131, i32 0
  %t.135 = shufflevector <8 x i64> %t.134, <8 x i64> poison, <8 x i32> zeroinitializer
  %t.136 = add nsw <8 x i64> %t.135, <i64 0, i64 2, i64 4, i64 6, i64 8, i64 10, i64 12, i64 14>
  %places.137 = getelementptr inbounds i16, ptr %buffer2, <8 x i64> %t.136
  call void @llvm.masked.scatter.v8i16.v8p0(<8 x i16> %t.133, <8 x ptr> %places.137, i32 2, <8 x i1> %t.112)
  br label %local_x_next.24
local_x_next.24:
  %local_x.26.next = add nsw i64 %local_x.26, 8
  br label %local_x_head.22
local_x_end.25:
  %t.138 = zext i1 true to i32
  %t.139 = add nuw i32 %workgroup_id.19, %t.138
  %t.140 = icmp eq i32 %t.139, %gx
  %t.141 = select i1 %t.140, i32 0, i32 %t.139
  store i32 %t.141, ptr %workgroup_id.7
  %t.142 = zext i1 %t.140 to i32
  %t.143 = add nuw i32 %workgroup_id.20, %t.142
  %t.144 = icmp eq i32 %t.143, %gy
  %t.145 = select i1 %t.144, i32 0, i32 %t.143
  store i32 %t.145, ptr %workgroup_id.9
  %t.146 = zext i1 %t.144 to i32
  %t.147 = add nuw i32 %workgroup_id.21, %t.146
  %t.148 = icmp eq i32 %t.147, %gz
  %t.149 = select i1 %t.148, i32 0, i32 %t.147
  store i32 %t.149, ptr %workgroup_id.11
  br label %workgroup_next.15
workgroup_next.15:
  %workgroup.17.next = add nsw i64 %workgroup.17, 1
  br label %workgroup_head.13
workgroup_end.16:
  ret void
}

declare <8 x i8> @llvm.masked.load.v8i8.p0(ptr, i32, <8 x i1>, <8 x i8>)
declare void @llvm.masked.scatter.v8i16.v8p0(<8 x i16>, <8 x ptr>, i32, <8 x i1>)
declare void @llvm.masked.scatter.v8i8.v8p0(<8 x i8>, <8 x ptr>, i32, <8 x i1>)
