struct Pixel {
    uchar r;
    uchar g;
    uchar b;
    char a;
};
typedef char gpucore_layout_0[sizeof(struct Pixel) == 4 ? 1 : -1];
typedef char gpucore_layout_1[__builtin_offsetof(struct Pixel, r) == 0 ? 1 : -1];
typedef char gpucore_layout_2[__builtin_offsetof(struct Pixel, g) == 1 ? 1 : -1];
typedef char gpucore_layout_3[__builtin_offsetof(struct Pixel, b) == 2 ? 1 : -1];
typedef char gpucore_layout_4[__builtin_offsetof(struct Pixel, a) == 3 ? 1 : -1];

struct gpucore_scalars {
    int image_shape_0;
    int edges_shape_0;
    uint padding_2_;
    uint padding_3_;
};

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void pixels(
    __global const uchar* restrict gray,
    __global struct Pixel* restrict image,
    __global short* restrict edges,
    const struct gpucore_scalars scalars)
{
    const int image_shape_0 = scalars.image_shape_0;
    const int edges_shape_0 = scalars.edges_shape_0;
    const int i = (int)get_group_id(0) * 64 + (int)get_local_id(0);
    if (i < image_shape_0) {
        const uchar gray_2 = gray[i];
        const uchar gray_3 = gray[i];
        const uchar gray_4 = gray[i];
        const uchar b = (uchar)(255u - (uint)gray_4);
        image[i].r = gray_2;
        image[i].g = gray_3;
        image[i].b = b;
        image[i].a = ((char)-1);
        const uchar gray_5 = gray[i];
        image[i].g = (uchar)((uint)gray_5 / 2u);
    }
    if ((int)((uint)i * 2u + 1u) < edges_shape_0) {
        edges[(int)((uint)i * 2u)] = (short)i;
        edges[(int)((uint)i * 2u + 1u)] = (short)-i;
    }
}
