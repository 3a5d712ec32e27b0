@group(0) @binding(0) var<storage, read> gray: array<u32>;
@group(0) @binding(1) var<storage, read_write> image: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read_write> edges: array<u32>;
struct gpucore_Scalars {
    @size(4) image_shape_0: i32,
    @size(12) edges_shape_0: i32,
}
@group(0) @binding(3) var<uniform> gpucore_scalars: gpucore_Scalars;

@compute @workgroup_size(64, 1, 1)
fn pixels(@builtin(workgroup_id) gpucore_workgroup_id: vec3<u32>, @builtin(local_invocation_id) gpucore_local_id: vec3<u32>) {
    let image_shape_0 = gpucore_scalars.image_shape_0;
    let edges_shape_0 = gpucore_scalars.edges_shape_0;
    let workgroup_id_x = i32(gpucore_workgroup_id.x);
    let local_id_x = i32(gpucore_local_id.x);
    let i = workgroup_id_x * 64 + local_id_x;
    if i < image_shape_0 {
        let index = u32(i);
        let word = gray[index >> 2u];
        let gray_2 = (word >> ((index << 3u) & 31u)) & 255u;
        let index_2 = u32(i);
        let word_2 = gray[index_2 >> 2u];
        let gray_3 = (word_2 >> ((index_2 << 3u) & 31u)) & 255u;
        let index_3 = u32(i);
        let word_3 = gray[index_3 >> 2u];
        let gray_4 = (word_3 >> ((index_3 << 3u) & 31u)) & 255u;
        let b = (255u - gray_4) & 255u;
        let index_4 = u32(i);
        atomicStore(&image[index_4], gray_2 | (gray_3 << 8u) | (b << 16u) | 4278190080u);
        let index_5 = u32(i);
        let word_4 = gray[index_5 >> 2u];
        let gray_5 = (word_4 >> ((index_5 << 3u) & 31u)) & 255u;
        let index_6 = u32(i);
        let bits = ((gray_5 >> 1u) & 255u) << 8u;
        atomicOr(&image[index_6], bits);
        atomicAnd(&image[index_6], bits | 4294902015u);
    }
    if i * 2 + 1 < edges_shape_0 {
        let bits_2 = u32((i << 16u) >> 16u) & 65535u;
        let index_7 = u32(i * 2 + 1);
        let byte = index_7 * 2u;
        let bits_3 = u32((-i << 16u) >> 16u) & 65535u;
        let word_5 = byte >> 2u;
        edges[word_5] = bits_2 | (bits_3 << 16u);
    }
}
