"""One call of each golden kernel, with a few numbers of odd count that are the same in every run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import golden_kernels as golden
import numpy as np

import gpucore as gp
from gpucore.testing.checks import Host, poisoned, upload

COUNT = 517


def call(name: str, gpu: gp.Device) -> None:
    """Call the golden kernel of that name."""
    _CALLS[name](gpu)


def _random(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def _floats(seed: int, count: int = COUNT, scale: float = 3.0) -> Host:
    values = _random(seed).normal(0, scale, count).astype(np.float32)
    special = [0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5]
    values[: len(special)] = special
    return values


def _with_specials(values: Host) -> Host:
    values[8:11] = np.nan, np.inf, -np.inf
    return values


def _words(seed: int, count: int = COUNT) -> Host:
    values = _random(seed).integers(0, 1 << 32, count, np.uint32)
    values[:4] = 0, 1, 0xFFFFFFFF, 0x80000000
    return values


def _integers(seed: int, count: int = COUNT) -> Host:
    return _words(seed, count).view(np.int32)


def _saxpy(gpu: gp.Device) -> None:
    golden.saxpy(1.5, upload(gpu, _floats(1)), upload(gpu, _floats(2)), invocations=COUNT)


def _transpose(gpu: gp.Device) -> None:
    source = _floats(3, 37 * 21).reshape(37, 21)
    golden.transpose(upload(gpu, source), poisoned(gpu, (21, 37), np.float32), invocations=(21, 37))


def _reduce_sum(gpu: gp.Device) -> None:
    golden.reduce_sum(upload(gpu, _floats(4)), poisoned(gpu, 5, np.float32), invocations=COUNT)


def _integer_operators(gpu: gp.Device) -> None:
    small = _random(7).integers(-9, 9, COUNT).astype(np.int32)
    for divisors in (_integers(6), small):
        golden.integers(
            upload(gpu, _integers(5)), upload(gpu, divisors), upload(gpu, _words(8)),
            poisoned(gpu, COUNT, np.int32), poisoned(gpu, COUNT, np.uint32), invocations=COUNT,
        )  # fmt: skip


def _collatz(gpu: gp.Device) -> None:
    starts = np.arange(COUNT, dtype=np.uint32)
    golden.collatz(upload(gpu, starts), poisoned(gpu, COUNT, np.int32), 60, invocations=COUNT)


def _early_returns(gpu: gp.Device) -> None:
    x = upload(gpu, _with_specials(_floats(9)))
    golden.early_returns(x, poisoned(gpu, COUNT, np.int32), -1.0, 1.25, invocations=COUNT)


def _polynomial(gpu: gp.Device) -> None:
    x, picks = upload(gpu, _floats(10)), upload(gpu, _words(11))
    golden.polynomial(x, poisoned(gpu, COUNT, np.float32), picks, invocations=COUNT)


def _histogram(gpu: gp.Device) -> None:
    """All values are the same, so that the order of invocations does not show."""
    values = np.full(COUNT, 77, np.uint32)
    bins, extremes = np.arange(256, dtype=np.uint32), np.array([999, -999, 5, 7], np.int32)
    golden.histogram(upload(gpu, values), upload(gpu, bins), upload(gpu, extremes), invocations=COUNT)


def _particles(gpu: gp.Device) -> None:
    places, speeds = (_floats(seed, 4 * 133).reshape(-1, 4) for seed in (12, 13))
    golden.particles(
        gp.asarray(places, gp.f32x4, device=gpu), gp.asarray(speeds, gp.f32x4, device=gpu),
        poisoned(gpu, 133, np.float32), 0.25, invocations=133,
    )  # fmt: skip


def _blend(order: int) -> Callable[[gp.Device], None]:
    def call_it(gpu: gp.Device) -> None:
        x = upload(gpu, _floats(14))
        for invert, clamp in ((False, True), (True, False)):
            how = golden.Blend(0.375, 3, invert)
            golden.blend(x, poisoned(gpu, COUNT, np.float32), how, clamp, order, invocations=COUNT)

    return call_it


def _convert(dtype: Any) -> Callable[[gp.Device], None]:
    def call_it(gpu: gp.Device) -> None:
        x = _with_specials(_floats(15, scale=3e9)) if dtype is np.float32 else _words(16)
        wide = _random(17).normal(0, 1e6, COUNT)
        golden.convert(
            upload(gpu, x), poisoned(gpu, COUNT, np.uint32), poisoned(gpu, COUNT, dtype), upload(gpu, wide),
            upload(gpu, np.arange(COUNT, dtype=np.int64)), invocations=COUNT,
        )  # fmt: skip

    return call_it


def _mathematics(gpu: gp.Device) -> None:
    x, y = upload(gpu, _floats(18)), upload(gpu, _floats(19))
    golden.mathematics(x, y, poisoned(gpu, COUNT, np.float32), poisoned(gpu, COUNT, np.float16), invocations=COUNT)


def _expanded(gpu: gp.Device) -> None:
    out, bits = poisoned(gpu, (3, COUNT), np.float32), poisoned(gpu, (4, COUNT), np.uint32)
    golden.expanded(upload(gpu, _floats(20)), upload(gpu, _words(21)), out, bits, invocations=COUNT)


def _tables(gpu: gp.Device) -> None:
    x = upload(gpu, _random(22).integers(0, 1000, COUNT).astype(np.int32))
    golden.tables(x, poisoned(gpu, COUNT, np.float32), poisoned(gpu, COUNT, np.int64), invocations=COUNT)


def _pixels(gpu: gp.Device) -> None:
    gray = _random(23).integers(0, 256, 131).astype(np.uint8)
    image, edges = poisoned(gpu, 131, golden.Pixel), poisoned(gpu, 67, np.int16)
    golden.pixels(upload(gpu, gray), image, edges, invocations=131)


_CALLS: dict[str, Callable[[gp.Device], None]] = {
    "saxpy": _saxpy,
    "transpose": _transpose,
    "reduce_sum": _reduce_sum,
    "integers": _integer_operators,
    "collatz": _collatz,
    "early_returns": _early_returns,
    "polynomial": _polynomial,
    "histogram": _histogram,
    "particles": _particles,
    "blend_2": _blend(2),
    "blend_3": _blend(3),
    "convert_f32": _convert(np.float32),
    "convert_u32": _convert(np.uint32),
    "mathematics": _mathematics,
    "expanded": _expanded,
    "tables": _tables,
    "pixels": _pixels,
}
