"""Conversions, bitcasts, operations that preserve bits; optional types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import gpucore as gp
from gpucore.testing import expected
from gpucore.testing.behaviours import Case, cases
from gpucore.testing.checks import Host, bits_of, check_bits, check_ulp, check_values, poisoned, skip_without, upload
from gpucore.testing.kernels import conversions as kernels

_CONTRACT = "Numeric contract: conversions"
_FLOATS: dict[Any, gp.Capability | None] = {
    np.float16: gp.Capability.F16,
    np.float32: None,
    np.float64: gp.Capability.F64,
}
_INTEGERS: dict[Any, gp.Capability | None] = {
    np.int32: None, np.uint32: None, np.int64: gp.Capability.INT64, np.uint64: gp.Capability.INT64,
}  # fmt: skip

_CAPABILITIES = {**_FLOATS, **_INTEGERS}


@dataclass(frozen=True)
class ConversionCase(Case):
    """A conversion from one dtype to another."""

    source: Any
    target: Any


def _cases() -> tuple[ConversionCase, ...]:
    pairs = [(a, b) for a in (*_FLOATS, *_INTEGERS) for b in (*_FLOATS, *_INTEGERS) if a is not b]
    pairs.sort(key=lambda pair: sum(_CAPABILITIES[dtype] is not None for dtype in pair))
    found = []
    for number, (source, target) in enumerate(pairs, 400):
        rule = "wraps" if target in _INTEGERS else "rounds to the nearest, ties to even"
        if source in _FLOATS and target in _INTEGERS:
            rule = "truncates and saturates; NaN gives 0"
        elif source in _FLOATS and np.dtype(source).itemsize < np.dtype(target).itemsize:
            rule = "is exact"
        names = f"{np.dtype(source)}_to_{np.dtype(target)}"
        text = f"{np.dtype(source)} to {np.dtype(target)} {rule}."
        found.append(ConversionCase(f"C{number}", names, text, _CONTRACT, source, target))
    return tuple(found)


CASES = _cases()


def _integers(dtype: Any) -> Host:
    """Edge values, and numbers halfway between neighbouring floats of 24 and 53 bits."""
    info = np.iinfo(dtype)
    values = set(expected.corners(dtype))
    for bits in (24, 25, 30, 31, 53, 54, 62, 63):
        values |= {(1 << bits) + d for d in (-3, -1, 0, 1, 2, 3)}
        values |= {(1 << bits) + (1 << (bits - 24)) * 3 + d for d in (-1, 0, 1)}
    values |= {-value for value in values} | {2047, 2049, 2051, 65504, 65519, 65520}
    return np.array(sorted(v for v in values if info.min <= v <= info.max), dtype)


def _floats(dtype: Any) -> Host:
    """Halves, ends of integer ranges and their neighbours, NaN and infinities, numbers of every magnitude."""
    rng = np.random.default_rng(8)
    ends = np.array([2.0**k for k in (8, 16, 24, 31, 32, 53, 63, 64)])
    info = np.finfo(dtype)
    with np.errstate(all="ignore"):
        near = ends.astype(dtype)
        near = np.concatenate(
            [near, np.nextafter(near, dtype(0)), np.nextafter(near, dtype(np.inf)), near - dtype(0.5)]
        )
        top = min(100.0, float(info.maxexp))
        drawn = np.exp2(rng.uniform(-12, top, 80)).astype(dtype)
        values = np.concatenate([np.arange(0, 4, 0.25).astype(dtype), near, drawn, np.array([info.max, np.inf], dtype)])
    values = np.concatenate([values, -values, np.array([np.nan], dtype)])
    return np.asarray(values[~np.isnan(values) | (np.arange(values.size) == values.size - 1)], dtype)


def _exact(values: Host, target: Any) -> Host:
    if values.dtype.kind == "f" and target in _INTEGERS:
        info = np.iinfo(target)
        low, high = int(info.min), int(info.max)
        whole = [0 if v != v else int(min(max(v, -(2.0**70)), 2.0**70)) for v in values.tolist()]
        return np.array([min(max(v, low), high) for v in whole], target)
    with np.errstate(all="ignore"):
        return values.astype(target)


def _patterns() -> Host:
    """Bit patterns of f32 that arithmetic would change (subnormals, NaN with payloads), and common ones."""
    rng = np.random.default_rng(12)
    fixed = [0, 1 << 31, 1, 0x80000001, 0x7FFFFF, 0x807FFFFF, 0x400000, 0x7F800000, 0xFF800000, 0x7F800001, 0xFF800001,
             0x7FBFFFFF, 0x7FC00000, 0x7FC12345, 0xFFFFFFFF, 0x7FFFFFFF, 0x3F800000, 0xDEADBEEF]  # fmt: skip
    return np.concatenate([np.array(fixed, np.uint32), rng.integers(0, 2**32, 78, np.uint32)])


class ConversionTests:
    """Conversions and bitcasts."""

    @cases(CASES)
    def test_conversion(self, gpu: gp.Device, case: ConversionCase) -> None:
        for dtype in (case.source, case.target):
            if (capability := _CAPABILITIES[dtype]) is not None:
                skip_without(gpu, capability)
        values = _integers(case.source) if case.source in _INTEGERS else _floats(case.source)
        out = poisoned(gpu, values.size, case.target)
        kernels.convert(upload(gpu, values), out, invocations=values.size)
        wanted = _exact(values, case.target)
        if wanted.dtype.kind == "f":
            normal = ~((np.abs(wanted) < np.finfo(case.target).smallest_normal) & (wanted != 0))
            check_values(out.numpy()[normal], wanted[normal], case.name, x=values[normal])
        else:
            check_bits(out.numpy(), wanted, case.name, x=values)

    def test_from_bool(self, gpu: gp.Device) -> None:
        """C450 [Numeric contract: conversions]: A bool becomes 1 or 0 of any type."""
        a = np.array([-1, 0, 1, 5, -7], np.int32)
        outs = [poisoned(gpu, a.size, dtype) for dtype in (np.int32, np.uint32, np.float32)]
        kernels.from_bool(upload(gpu, a), *outs, invocations=a.size)
        for out in outs:
            check_bits(out.numpy(), (a > 0).astype(out.dtype.dtype), "from bool", x=a)

    def test_to_bool(self, gpu: gp.Device) -> None:
        """C451 [Numeric contract: conversions]: A number becomes True unless it is zero; NaN is True."""
        a = np.array([0, 1, -1, -(2**31), 256, 65536], np.int32)
        x = np.array([0.0, -0.0, 0.5, np.nan, np.inf, -3.0], np.float32)
        out = poisoned(gpu, (2, a.size), np.uint32)
        kernels.to_bool(upload(gpu, a), upload(gpu, x), out, invocations=a.size)
        check_bits(out.numpy(), np.stack([a != 0, x != 0]).astype(np.uint32), "to bool", a=a, x=x)

    def test_conversion_of_literals(self, gpu: gp.Device) -> None:
        """C452 [Numeric contract: constant folding]: Conversions of constants give the same result as at run time."""
        whole, real = poisoned(gpu, 6, np.int32), poisoned(gpu, 4, np.float32)
        kernels.of_literals(whole, real, workgroups=1)
        check_bits(whole.numpy(), np.array([3, -3, 2**31 - 1, -(2**31), -1, 2], np.int32), "to i32")
        check_bits(real.numpy(), np.array([16777216, 16777220, 4294967296, 1], np.float32), "to f32")

    def test_bitcasts(self, gpu: gp.Device) -> None:
        """C453 [Numeric contract: bitcasts keep every bit]: u32, i32 and f32, including payloads of NaN and
        subnormals."""
        bits = _patterns()
        out = poisoned(gpu, (3, bits.size), np.uint32)
        kernels.bitcasts(upload(gpu, bits), out, invocations=bits.size)
        check_bits(out.numpy(), np.stack([bits] * 3), "bitcast there and back", x=bits)

    def test_carried_bits(self, gpu: gp.Device) -> None:
        """C454 [Numeric contract: loads and stores keep every bit]: f32 through load, store, select, conditional
        expression, helper, private and workgroup array, variable and vector."""
        bits = _patterns()
        flags = (np.arange(bits.size) % 2).astype(np.uint32)
        out = poisoned(gpu, (8, bits.size), np.float32)
        kernels.carry(upload(gpu, bits.view(np.float32)), upload(gpu, flags), out, invocations=bits.size)
        rows = [bits, np.where(flags, bits, 0), np.where(flags, 0, bits), bits, bits, bits, bits, bits]
        check_bits(bits_of(out.numpy()), np.stack(rows).astype(np.uint32), "carried bits (rows are paths)", x=bits)

    def test_carried_vectors(self, gpu: gp.Device) -> None:
        """C455 [Numeric contract: loads and stores keep every bit]: f32x4 through load, swizzle and store."""
        bits = _patterns()[:92].reshape(-1, 4)
        x = gp.asarray(bits.view(np.float32), gp.f32x4, device=gpu)
        out, swapped = poisoned(gpu, bits.shape[0], gp.f32x4), poisoned(gpu, bits.shape[0], gp.f32x4)
        kernels.carry_vectors(x, out, swapped, invocations=bits.shape[0])
        check_bits(bits_of(out.numpy()), bits, "vectors")
        check_bits(bits_of(swapped.numpy()), bits[:, ::-1], "swizzled vectors")

    def test_vector_bitcasts(self, gpu: gp.Device) -> None:
        """C456 [Numeric contract: bitcasts keep every bit]: Vectors too; and f32x4 to i32x4 truncates and saturates."""
        bits = _patterns()[:92].reshape(-1, 4)
        x = gp.asarray(bits, gp.u32x4, device=gpu)
        out, converted = poisoned(gpu, bits.shape[0], gp.u32x4), poisoned(gpu, bits.shape[0], gp.i32x4)
        kernels.vector_bitcasts(x, out, converted, invocations=bits.shape[0])
        check_bits(out.numpy(), bits, "bitcasts of vectors")
        wanted = _exact(bits.view(np.float32).reshape(-1), np.int32).reshape(bits.shape)
        check_bits(converted.numpy(), wanted, "f32x4 to i32x4", x=bits.view(np.float32))

    def test_wide_bitcasts(self, gpu: gp.Device) -> None:
        """C457 [Capability INT64]: bitcasts between u64, i64 and u32x2 keep every bit."""
        skip_without(gpu, gp.Capability.INT64)
        bits = np.random.default_rng(4).integers(0, 2**64, 50, np.uint64)
        out = poisoned(gpu, (2, 50), np.uint64)
        kernels.wide_bitcasts(upload(gpu, bits), out, invocations=50)
        swapped = bits.view(np.uint32).reshape(-1, 2)[:, ::-1].copy().view(np.uint64).reshape(-1)
        check_bits(out.numpy(), np.stack([bits, swapped]), "wide bitcasts", x=bits)

    def test_doubles(self, gpu: gp.Device) -> None:
        """C458 [Capability F64]: f64 through bitcast (with INT64), load, select and store keeps every bit."""
        skip_without(gpu, gp.Capability.F64, gp.Capability.INT64)
        bits = np.random.default_rng(4).integers(0, 2**64, 50, np.uint64)
        bits[:4] = [1, 0x7FF0000000000001, 0x7FF8DEADBEEF0000, 0x8000000000000000]
        values = np.random.default_rng(4).normal(size=50)
        out, copied = poisoned(gpu, 50, np.uint64), poisoned(gpu, 50, np.float64)
        kernels.double_bitcasts(upload(gpu, bits), upload(gpu, values), out, copied, invocations=50)
        check_bits(out.numpy(), bits, "bitcasts of f64", x=bits)
        check_bits(copied.numpy(), np.where(np.arange(50) % 2 == 0, values, -values), "selected f64")

    def test_double_arithmetic(self, gpu: gp.Device) -> None:
        """C459 [Capability F64]: + - * of f64 are rounded correctly, each of a sum or product of three, too; / within
        2.5 ulp; min, max and negation."""
        skip_without(gpu, gp.Capability.F64)
        _check_arithmetic(gpu, np.float64)

    def test_half_arithmetic(self, gpu: gp.Device) -> None:
        """C460 [Capability F16]: + - * of f16 are rounded correctly, each of a sum or product of three, too; / within
        2.5 ulp; min, max and negation."""
        skip_without(gpu, gp.Capability.F16)
        _check_arithmetic(gpu, np.float16)

    def test_half_arrays(self, gpu: gp.Device) -> None:
        """C461 [Capability F16]: Arrays of f16 of odd sizes keep every element and touch no other."""
        skip_without(gpu, gp.Capability.F16)
        for size in (1, 2, 3, 65, 127):
            values = np.arange(size, dtype=np.float16) / np.float16(4)
            out = poisoned(gpu, size, np.float32)
            kernels.convert(upload(gpu, values), out, invocations=size)
            check_bits(out.numpy(), values.astype(np.float32), "f16 to f32", x=values)
            back = poisoned(gpu, size, np.float16)
            kernels.convert(upload(gpu, values.astype(np.float32)), back, invocations=size)
            check_bits(back.numpy(), values, "f32 to f16", x=values)

    def test_scalars_of_optional_types(self, gpu: gp.Device) -> None:
        """C462 [Capabilities F16, F64, INT64]: Scalars by value of every type that the device has."""
        for dtype, value in ((np.float16, 0.333), (np.float64, 0.1), (np.int64, -(2**40) - 1), (np.uint64, 2**63 + 5)):
            if _CAPABILITIES[dtype] not in gpu.capabilities:
                continue
            out = poisoned(gpu, 9, dtype)
            kernels.store_scalar(dtype(value), out, invocations=9)
            check_bits(out.numpy(), np.full(9, value, dtype), f"a scalar of {np.dtype(dtype)}")

    def test_literals_of_optional_types(self, gpu: gp.Device) -> None:
        """C465 [Capabilities F16, F64]: A literal is the nearest number of the type, including signed zeros, infinities
        and NaN."""
        found = [dtype for dtype in (np.float16, np.float64) if _CAPABILITIES[dtype] in gpu.capabilities]
        if not found:
            skip_without(gpu, gp.Capability.F16)
        for dtype in found:
            out = poisoned(gpu, 7, dtype)
            kernels.literals_of_a_type(out, workgroups=1)
            wanted = np.array([1 / 3, -0.0, np.inf, -np.inf, np.finfo(dtype).max, -1e-3], dtype)
            check_bits(out.numpy()[:6], wanted, f"literals of {np.dtype(dtype)}")
            check_values(out.numpy()[6:], np.array([np.nan], dtype), f"the literal NaN of {np.dtype(dtype)}")

    def test_conversions_of_bf16(self, gpu: gp.Device) -> None:
        """C463 [Numeric contract: conversions]: bf16 to f32 is exact; f32 to bf16 is to nearest,
        ties to even, NaN stays NaN. Subnormals may be 0."""
        bits = np.arange(1 << 16, dtype=np.uint16)[:: 16 if gpu.backend.name == "simulator" else 1]
        bits = bits[(bits & 0x7F80 != 0) | (bits & 0x7F == 0)]
        rng = np.random.default_rng(3)
        low = np.concatenate([[0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF], rng.integers(0, 1 << 16, bits.size - 6)])
        x = (bits.astype(np.uint32) << 16 | low.astype(np.uint32)).view(np.float32)
        x[(bits & 0x7FFF) == 0] = 0.0
        wide, narrow = poisoned(gpu, bits.size, np.float32), poisoned(gpu, bits.size, np.uint16)
        kernels.through_bf16(upload(gpu, bits), upload(gpu, x), wide, narrow, invocations=bits.size)
        check_values(wide.numpy(), (bits.astype(np.uint32) << 16).view(np.float32), "bf16 to f32", x=bits)
        found, is_number = narrow.numpy(), ~np.isnan(x)
        check_bits(found[is_number], _nearest_bf16(x)[is_number], "f32 to bf16", x=x[is_number])
        check_bits((found[~is_number] & 0x7FFF) > 0x7F80, np.full(np.sum(~is_number), True), "NaN to bf16")

    def test_arrays_of_bf16(self, gpu: gp.Device) -> None:
        """C464 [Numeric contract: conversions]: Arrays of bf16 of odd sizes keep every element and touch no
        other; their arithmetic is that of f32."""
        for size in (1, 2, 3, 65, 127):
            x = _nearest_bf16(np.random.default_rng(size).uniform(-4, 4, size).astype(np.float32))
            y = _nearest_bf16(np.random.default_rng(-size % 9).uniform(1, 2, size).astype(np.float32))
            out, wide = poisoned(gpu, size, np.uint16), poisoned(gpu, size, np.float32)
            given = upload(gpu, x).view(gp.bf16), upload(gpu, y).view(gp.bf16)
            kernels.add_bf16(*given, out.view(gp.bf16), wide, invocations=size)
            a, b = ((each.astype(np.uint32) << 16).view(np.float32) for each in (x, y))
            check_bits(out.numpy(), _nearest_bf16(a + b), "x + y of bf16", x=a, y=b)
            check_bits(wide.numpy(), a * b, "x * y of bf16", x=a, y=b)


def _nearest_bf16(x: Any) -> Any:
    """The bits of the nearest bf16 of f32, ties to even."""
    bits = x.view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def _check_arithmetic(gpu: gp.Device, dtype: Any) -> None:
    rng = np.random.default_rng(2)
    a, b = (rng.uniform(0.5, 4, 200).astype(dtype) * rng.choice([-1, 1], 200).astype(dtype) for _ in range(2))
    out = poisoned(gpu, (9, a.size), dtype)
    kernels.arithmetic(upload(gpu, a), upload(gpu, b), out, invocations=a.size)
    result = out.numpy()
    wanted = np.stack([a + b, a - b, a * b, -a, np.minimum(a, b), np.maximum(a, b), a + b + a, a * b * a])
    normal = np.abs(wanted) >= np.finfo(dtype).smallest_normal
    check_values(np.where(normal, result[:8], dtype(0)), np.where(normal, wanted, dtype(0)), "+ - * min max", x=a, y=b)
    check_ulp(result[8], a.astype(np.float64) / b.astype(np.float64), 2.5, 0.0, "x / y", x=a, y=b)
