struct Pixel {
    unsigned char r;
    unsigned char g;
    unsigned char b;
    signed char a;
};
static_assert(sizeof(struct Pixel) == 4);

struct gpucore_scalars {
    int image_shape_0;
    int edges_shape_0;
    unsigned int padding_2_;
    unsigned int padding_3_;
};

extern "C" __global__ void __launch_bounds__(64) pixels(
    const unsigned char* __restrict__ gray,
    struct Pixel* __restrict__ image,
    short* __restrict__ edges,
    const struct gpucore_scalars scalars)
{
    const int image_shape_0 = scalars.image_shape_0;
    const int edges_shape_0 = scalars.edges_shape_0;
    const int i = (int)blockIdx.x * 64 + (int)threadIdx.x;
    if (i < image_shape_0) {
        const unsigned char gray_2 = gray[i];
        const unsigned char gray_3 = gray[i];
        const unsigned char gray_4 = gray[i];
        const unsigned char b = (unsigned char)(255u - (unsigned int)gray_4);
        image[i].r = gray_2;
        image[i].g = gray_3;
        image[i].b = b;
        image[i].a = ((signed char)-1);
        const unsigned char gray_5 = gray[i];
        image[i].g = (unsigned char)((unsigned int)gray_5 / 2u);
    }
    if ((int)((unsigned int)i * 2u + 1u) < edges_shape_0) {
        edges[(int)((unsigned int)i * 2u)] = (short)i;
        edges[(int)((unsigned int)i * 2u + 1u)] = (short)-i;
    }
}
