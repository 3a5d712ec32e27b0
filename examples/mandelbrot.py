"""The Mandelbrot set, with complex numbers as a struct with operators."""

import argparse

import gpucore as gp


@gp.struct
class Complex:
    re: gp.f32
    im: gp.f32

    def __add__(self, other):
        return Complex(self.re + other.re, self.im + other.im)

    def __mul__(self, other):
        return Complex(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)

    @property
    def norm(self):
        return self.re * self.re + self.im * self.im


def steps_to_escape(c, most):
    z = Complex(0.0, 0.0)
    for step in range(most):
        if z.norm > 4:
            return step
        z = z * z + c
    return most


@gp.kernel(workgroup_size=(16, 16))
def draw(corner: Complex, pixel: gp.f32, most: gp.i32, image: gp.Out[gp.i32, 2]):
    column, row = gp.global_id(0), gp.global_id(1)
    if row < image.shape[0] and column < image.shape[1]:
        c = corner + Complex(gp.f32(column) * pixel, gp.f32(row) * pixel)
        image[row, column] = steps_to_escape(c, most)


def mandelbrot(width, height, most=200, device=None):
    """For each pixel, with real parts from -2.2 to 0.8: the number of steps until it escapes, at most `most`."""
    image = gp.empty((height, width), gp.i32, device=device)
    pixel = 3.0 / width
    draw(Complex(-2.2, -pixel * height / 2), pixel, most, image, invocations=(width, height))
    return image.numpy()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    gp.add_device_argument(parser)
    device = gp.device(parser.parse_args().device)
    print(device.name)
    for line in mandelbrot(78, 52, device=device)[::2]:  # a character is twice as high as wide
        print("".join(" .:-=+*%#@"[steps.bit_length() + steps // 200] for steps in line.tolist()))
