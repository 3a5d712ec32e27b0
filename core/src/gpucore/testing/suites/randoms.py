"""Random numbers: the same bits on every device."""

from __future__ import annotations

import numpy as np

import gpucore as gp
from gpucore.testing.checks import Host, check_bits, poisoned, upload
from gpucore.testing.kernels import randoms as kernels

_KNOWN = (
    ((0, 0), (0, 0, 0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 2, (0xFFFFFFFF,) * 4, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0xA4093822, 0x299F31D0),
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
)
"""Key, counter and result: the lines `philox4x32 10` of kat_vectors, of D. E. Shaw Research's Random123."""

_WORDS = np.array(
    [x for k in range(33) for x in (2**k - 1, 2**k, 2**k + 1) if x < 2**32] + [0xB504F334 >> k for k in range(32)],
    np.uint32,
)


class RandomTests:
    """gp.random in kernels, and its arrays."""

    def test_philox(self, gpu: gp.Device) -> None:
        """C830 [Kernel language: gp.random]: philox gives the known answers of Random123."""
        key, counter, wanted = (np.array(column, np.uint32) for column in zip(*_KNOWN, strict=True))
        out = gp.full(3, 7, gp.u32x4, device=gpu)
        vectors = gp.asarray(key, gp.u32x2, device=gpu), gp.asarray(counter, gp.u32x4, device=gpu)
        kernels.words(*vectors, out, invocations=3)
        check_bits(out.numpy(), wanted, "words")

    def test_random_numbers(self, gpu: gp.Device) -> None:
        """C831 [Kernel language: gp.random]: uniform, normal and integers of words have the bits that the simulator
        computes."""

        def made(device: gp.Device) -> tuple[Host, Host]:
            out, whole = poisoned(device, (3, _WORDS.size), np.float32), poisoned(device, _WORDS.size, np.int32)
            kernels.numbers(upload(device, _WORDS), out, whole, invocations=_WORDS.size)
            return out.numpy(), whole.numpy()

        (floats, whole), (wanted_floats, wanted_whole) = made(gpu), made(gp.device("simulator"))
        check_bits(floats, wanted_floats, "uniform, and both of normal")
        check_bits(whole, wanted_whole, "integers", words=_WORDS)

    def test_random_arrays(self, gpu: gp.Device) -> None:
        """C832 [gp.random]: Arrays have the bits that the simulator computes, products and sums rounded one by one."""
        for n in (1, 258):

            def made(device: gp.Device, n: int = n) -> list[Host]:
                return [
                    gp.random.uniform((n, 3), 2**40 + 1, low=-1.5, high=3.1, device=device).numpy(),
                    gp.random.normal((n, 3), 2**40 + 2, mean=1.1, std=0.7, device=device).numpy(),
                    gp.random.integers((n, 3), 2**40 + 3, -7, 2**31, device=device).numpy(),
                ]

            names = ("uniform", "normal", "integers")
            for name, array, wanted in zip(names, made(gpu), made(gp.device("simulator")), strict=True):
                check_bits(array, wanted, name)
