"""Parameters of kernels: scalars, arrays, vectors, structs, constants; and names."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

import gpucore as gp
from gpucore.testing import expected
from gpucore.testing.checks import Host, bits_of, check_bits, check_raises, check_values, poisoned, upload
from gpucore.testing.kernels import values as kernels

_VECTORS = (
    (gp.f32x2, np.float32), (gp.f32x3, np.float32), (gp.f32x4, np.float32), (gp.i32x2, np.int32),
    (gp.i32x3, np.int32), (gp.i32x4, np.int32), (gp.u32x2, np.uint32), (gp.u32x3, np.uint32), (gp.u32x4, np.uint32),
)  # fmt: skip


class ValueTests:
    """Parameters of every kind."""

    def test_scalars(self, gpu: gp.Device) -> None:
        """C100 [Kernel language: scalars]: bool, i32, u32 and f32 by value, including minimum and maximum; every bit
        is kept."""
        tiny = float(np.uint32(1).view(np.float32))
        for flag, i, u, f in (
            (True, -(2**31), 2**32 - 1, -0.0),
            (False, 2**31 - 1, 2**31, float("inf")),
            (True, -1, 0, tiny),
            (False, 0, 7, 0.1),
        ):
            out = poisoned(gpu, 5, np.uint32)
            kernels.scalars(flag, i, u, f, out, workgroups=1)
            wanted = [flag, i & 0xFFFFFFFF, u, int(np.float32(f).view(np.uint32)), 7 if flag else 9]
            check_bits(out.numpy(), np.array(wanted, np.uint32), f"scalars {flag}, {i}, {u}, {f}")

    def test_many_scalars(self, gpu: gp.Device) -> None:
        """C101 [Backend interface: Device.dispatch]: Sixteen scalars of mixed types, each at its offset."""
        for seed in (1, 2):
            rng = np.random.default_rng(seed)
            given: list[Any] = []
            for _ in range(4):
                given += [
                    int(rng.integers(-999, 999)),
                    float(rng.integers(0, 99)) / 4,
                    int(rng.integers(0, 999)),
                    bool(rng.integers(2)),
                ]
            out = poisoned(gpu, 16, np.float32)
            kernels.many_scalars(*[*given, out], workgroups=1)
            check_bits(out.numpy(), np.array(given, np.float32), "sixteen scalars")

    def test_unused_parameters(self, gpu: gp.Device) -> None:
        """C102 [Backend interface: Device.dispatch]: Unused parameters have no effect."""
        x, out = upload(gpu, np.zeros(3, np.float32)), poisoned(gpu, 20, np.int32)
        kernels.unused_parameters(0.5, x, -77, out, 9, invocations=20)
        check_bits(out.numpy(), np.full(20, -77, np.int32), "the one parameter that is used")

    def test_array_modes(self, gpu: gp.Device) -> None:
        """C103 [Kernel language: In, Out, InOut]: Arrays of f32, i32 and u32 of many sizes; what is not stored
        stays."""
        for dtype in (np.float32, np.int32, np.uint32):
            for size in (1, 2, 31, 32, 33, 1000):
                host_x, host_y = np.arange(size).astype(dtype), (np.arange(size) * 5).astype(dtype)
                x, y, z = upload(gpu, host_x), upload(gpu, host_y), poisoned(gpu, size, dtype)
                kernels.update(x, y, z, invocations=size)
                check_bits(z.numpy(), host_y, f"Out of {size} {np.dtype(dtype)}")
                check_bits(y.numpy(), host_y + host_x + host_x, f"InOut of {size} {np.dtype(dtype)}")
                check_bits(x.numpy(), host_x, f"In of {size} {np.dtype(dtype)}")

    def test_untouched_elements(self, gpu: gp.Device) -> None:
        """C104 [Kernel language: InOut]: Elements that the kernel does not store keep their values."""
        host = np.arange(1, 101, dtype=np.int32)
        y = upload(gpu, host)
        kernels.every_third(y, invocations=34)
        check_bits(y.numpy(), np.where(np.arange(100) % 3 == 0, -host, host).astype(np.int32), "every third negated")

    def test_rank_two(self, gpu: gp.Device) -> None:
        """C105 [Kernel language: rank 2]: x[i, j] is row-major; x.shape, x.size, x.ndim and len(x)."""
        for rows, columns in ((1, 1), (5, 7), (17, 3), (33, 40)):
            host = np.arange(rows * columns, dtype=np.float32).reshape(rows, columns)
            out, lengths = poisoned(gpu, (columns, rows), np.float32), poisoned(gpu, 5, np.int32)
            kernels.transpose(upload(gpu, host), out, lengths, invocations=(columns, rows))
            check_bits(out.numpy(), host.T, f"transpose of {rows} x {columns}")
            check_bits(lengths.numpy(), np.array([rows, columns, rows * columns, columns, 2], np.int32), "lengths")

    def test_vector_arithmetic(self, gpu: gp.Device) -> None:
        """C106 [Kernel language: vectors]: + - * of f32, i32 and u32 vectors of 2, 3 and 4, with a literal, min,
        max, abs."""
        for dtype, scalar in _VECTORS:
            a, b = _vectors(dtype, scalar, 20)
            out = poisoned(gpu, (8, 20), dtype)
            kernels.vector_arithmetic(
                gp.asarray(a, dtype, device=gpu), gp.asarray(b, dtype, device=gpu), out, invocations=20
            )
            with np.errstate(all="ignore"):
                rows = [
                    a + b,
                    a - b,
                    a * b,
                    np.negative(a),
                    a * scalar(3),
                    np.minimum(a, b),
                    np.maximum(a, b),
                    np.abs(a),
                ]
            check_values(out.numpy(), np.stack(rows), f"arithmetic of {dtype}", a=a, b=b)

    def test_vector_integers(self, gpu: gp.Device) -> None:
        """C107 [Numeric contract: // and %]: Division, remainders, shifts and bits of i32x4, component by component."""
        a, b = (side[:200].reshape(-1, 4) for side in expected.pairs(np.int32))
        n = a.shape[0]
        out = poisoned(gpu, (8, n), gp.i32x4)
        kernels.vector_integers(
            gp.asarray(a, gp.i32x4, device=gpu), gp.asarray(b, gp.i32x4, device=gpu), out, invocations=n
        )
        functions = (
            expected.floor_div, expected.floor_mod, expected.trunc_div, expected.trunc_rem, lambda x, y: x & y,
            lambda x, y: x ^ ~y, lambda x, y: x << 3, lambda x, y: x >> y % 32,
        )  # fmt: skip
        rows = [expected.apply(f, np.int32, a.reshape(-1), b.reshape(-1)).reshape(n, 4) for f in functions]
        check_bits(out.numpy(), np.stack(rows), "integer operations on vectors", x=a, y=b)

    def test_components(self, gpu: gp.Device) -> None:
        """C108 [Kernel language: vectors]: Components, swizzles, construction, assignment of a component, dot."""
        a = np.random.default_rng(1).integers(-50, 50, (25, 4)).astype(np.float32)
        x = gp.asarray(a, gp.f32x4, device=gpu)
        out, rebuilt, halves = (
            poisoned(gpu, (4, 25), np.float32),
            poisoned(gpu, 25, gp.f32x4),
            poisoned(gpu, 25, gp.f32x2),
        )
        kernels.components(x, out, rebuilt, halves, invocations=25)
        rows = [a[:, 0], a[:, 1] + a[:, 2], a[:, 3], (a * a[:, ::-1]).sum(1)]
        check_bits(out.numpy(), np.stack(rows), "components")
        built = np.stack([a[:, 2], np.full(25, 5), np.ones(25), a[:, 0]], 1).astype(np.float32)
        check_bits(rebuilt.numpy(), built, "built vectors")
        check_bits(halves.numpy(), a[:, [0, 2]] + np.float32(2), "halves")

    def test_masks(self, gpu: gp.Device) -> None:
        """C119 [Kernel language: vectors]: Comparisons of vectors give masks; any, all, select, & | ^ ~ of them."""
        random = np.random.default_rng(2)
        a, b = random.integers(-4, 5, (77, 4)).astype(np.float32), random.integers(-2, 3, (77, 2)).astype(np.int32)
        a[random.random(a.shape) < 0.1] = np.nan
        out, pairs, n = poisoned(gpu, (2, 77), gp.f32x4), poisoned(gpu, 77, gp.i32x2), poisoned(gpu, 77, np.int32)
        x, y = gp.asarray(a, gp.f32x4, device=gpu), gp.asarray(b, gp.i32x2, device=gpu)
        kernels.masks(x, y, out, pairs, n, invocations=77)
        inside = (a >= -2) & (a[:, ::-1] < 3)
        first = np.where(inside, a, np.float32(-1))
        inside = inside ^ (a == 0) ^ (a == 1) ^ (a == 2)
        check_values(out.numpy()[0], first, "selected by a mask", x=a)
        second = np.where(~inside | np.isnan(a), a[:, [1, 1, 2, 2]], a * np.float32(2))
        check_values(out.numpy()[1], second, "selected by a mask that a loop changes", x=a)
        check_bits(pairs.numpy(), np.where(b > b[:, ::-1], b, b[:, ::-1] - 1).astype(np.int32), "pairs", x=b)
        counts = inside.any(1) * 1 + inside.all(1) * 10 + ((b != 0).all(1) | inside[:, 1]) * 100
        check_bits(n.numpy(), counts.astype(np.int32), "any and all", x=a, y=b)

    def test_places_in_vectors(self, gpu: gp.Device) -> None:
        """C121 [Kernel language: vectors]: Components are read and assigned at indices of run time, also of masks and
        in arrays."""
        random = np.random.default_rng(5)
        a, b = random.integers(-9, 10, (70, 4)).astype(np.float32), random.integers(-9, 10, (70, 3)).astype(np.float32)
        c, out, rows = random.integers(0, 4, 70).astype(np.int32), poisoned(gpu, 70, np.float32), np.arange(70)
        x, y = gp.asarray(a, gp.f32x4, device=gpu), gp.asarray(b, gp.f32x3, device=gpu)
        kernels.places(x, upload(gpu, c), y, out, invocations=70)
        v, following = a.copy(), (c + 1) & 3
        v[rows, c] = 10 + a[rows, following]
        a[rows, c] *= 2
        b[rows, c % 3] = a[rows, 3 - c]
        mask = v > 5
        chosen = np.where(c > 0, mask[rows, following], mask[rows, c])
        check_bits(x.numpy(), a, "elements of four", c=c)
        check_bits(y.numpy(), b, "elements of three", c=c)
        check_bits(out.numpy(), np.where(chosen, v[rows, c] * 2, 1).astype(np.float32), "components", c=c)

    def test_triples(self, gpu: gp.Device) -> None:
        """C120 [Kernel language: vectors]: Vectors of three, 12 bytes each: in buffers, structs, workgroup and private
        arrays, by value, swizzled, selected."""
        random, n = np.random.default_rng(3), 83
        x = random.integers(-9, 10, (n, 3)).astype(np.float32)
        before = np.zeros(n, kernels.Body)
        for name in ("mass", "position", "spin", "cell"):
            before[name] = random.integers(-9, 10, before[name].shape)
        bodies, out = gp.asarray(before, kernels.Body, device=gpu), poisoned(gpu, (2, n), gp.f32x3)
        offset = np.array([1, -2, 3], np.float32)
        kernels.triples(bodies, gp.asarray(x, gp.f32x3, device=gpu), offset, out, invocations=n)
        v, found = x[:, [1, 2, 0]], bodies.numpy()
        check_values(found["mass"], before["mass"] + v @ offset, "a field beside them", x=x)
        check_values(found["position"], before["position"] - v, "a field of three", x=x)
        check_bits(found["spin"], before["spin"][:, [3, 0, 1, 2]], "a field of four")
        own = before["cell"][:, [2, 0, 1]]  # read at i % 4, once; the other elements of the private array are 0
        check_bits(found["cell"], own, "private arrays of three", cell=before["cell"])
        padded = np.concatenate([v, np.repeat(v[-1:], -n % 16, axis=0)]) + offset
        factor = np.concatenate([before["spin"][:, :2], np.full((n, 1), 2, np.float32)], 1)
        check_values(out.numpy()[0], padded[np.arange(n) ^ 1] * factor, "workgroup arrays of three", x=x)
        w = v.copy()
        w[:, 1] = 7
        chosen = np.where(w < before["position"], w, before["mass"][:, None])
        chosen[::3] = -w[::3][:, [0, 0, 2]]
        check_values(out.numpy()[1], chosen, "selected", x=x)

    def test_functions_of_vectors(self, gpu: gp.Device) -> None:
        """C109 [Kernel language: vectors]: Functions work on each component."""
        a = np.random.default_rng(1).integers(-80, 80, (25, 4)).astype(np.float32) / np.float32(16)
        out = poisoned(gpu, (4, 25), gp.f32x4)
        kernels.functions_of_vectors(gp.asarray(a, gp.f32x4, device=gpu), out, invocations=25)
        result = out.numpy()
        check_values(result[:2], np.stack([np.floor(a), np.clip(a, -1, 1)]), "floor and clamp", x=a)
        check_values(result[3], a * 2 + 1, "fma", x=a)
        near = np.abs(result[2].astype(np.float64) - np.sqrt(np.abs(a.astype(np.float64)))) <= 1e-6
        check_bits(near, np.ones_like(near), "sqrt within 1e-6", x=a)

    def test_array_seen_as_vectors(self, gpu: gp.Device) -> None:
        """C110 [Kernel language: vectors]: A buffer of f32 may be bound as one of f32x4; x.size counts vectors."""
        host = np.arange(44, dtype=np.float32)
        out = poisoned(gpu, 11, np.float32)
        kernels.sum_of_four(upload(gpu, host), out, invocations=64)
        check_bits(out.numpy(), host.reshape(-1, 4).sum(1), "sums of four")

    def test_structs(self, gpu: gp.Device) -> None:
        """C111 [Kernel language: structs]: A struct by value, its fields, a new one made in a helper."""
        x = np.arange(40, dtype=np.float32)
        make: Any = kernels.Parameters
        for scale, negative, offset, mask in ((0.5, True, -3, 5), (2.0, False, 2**20, 2**31 + 1)):
            out = poisoned(gpu, 40, np.float32)
            kernels.use_struct(make(scale, negative, offset, mask), upload(gpu, x), out, invocations=40)
            value = x * np.float32(scale) + np.float32(offset)
            value = -value if negative else value
            added = ((np.arange(40) & mask) != 0) & negative
            wanted = np.where(added, value + np.float32(scale * 2 * (offset + 3)), value)
            check_values(out.numpy(), wanted.astype(np.float32), "fields of a struct", x=x)

    def test_constants(self, gpu: gp.Device) -> None:
        """C112 [Kernel language: Const]: Compile-time ints, floats, bools, dtypes and tuples; each value has its own
        code."""
        for n, x, flag, dtype, table in (
            (0, 0.5, False, gp.i32, ()), (3, -2.0, True, gp.i32, (1, 2, 4)), (3, -2.0, True, gp.i32, (5, 6, 7)),
            (2, 0.25, True, gp.f32, (1, 2)), (2, 0.25, False, gp.f32, (1, 2)),
        ):  # fmt: skip
            out = poisoned(gpu, 10, np.float32)
            kernels.constants(n, x, flag, dtype, table, out, invocations=10)
            total = x + sum(table[:n])
            wanted = (-total if flag else total) + np.arange(10) - 1
            check_bits(out.numpy(), wanted.astype(np.float32), f"constants {n}, {x}, {flag}, {dtype}, {table}")

    def test_aliasing(self, gpu: gp.Device) -> None:
        """C113 [Kernel language: arguments]: One array for two parameters is refused where one is written; nothing is
        sent."""
        host = np.arange(8, dtype=np.int32)
        x, z = upload(gpu, host), upload(gpu, host)
        for arguments in ((x, x, z), (z, x, x), (x, z, x), (x.reshape(8), x, z)):
            check_raises(gp.ArgumentError, partial(kernels.update, *arguments, invocations=8), "an alias")
        check_bits(x.numpy(), host, "the array after refused calls")
        out = poisoned(gpu, 8, np.int32)
        others = [poisoned(gpu, 8, np.int32) for _ in range(2)]
        kernels.eight_arrays(x, x, x, x, out, others[0], z, others[1], invocations=8)
        check_bits(out.numpy(), host * 11, "one array for several In parameters")

    def test_refused_arguments(self, gpu: gp.Device) -> None:
        """C114 [Kernel language: arguments]: Wrong dtype, rank, NumPy array, scalar out of range: ArgumentError."""
        x, y, z = (upload(gpu, np.zeros(8, np.float32)) for _ in range(3))
        wrong = upload(gpu, np.zeros(8, np.int32))
        out = poisoned(gpu, 5, np.uint32)
        check_raises(gp.ArgumentError, lambda: kernels.update(x, wrong, z, invocations=8), "a wrong dtype")
        check_raises(gp.ArgumentError, lambda: kernels.update(x, y.reshape(2, 4), z, invocations=8), "a wrong rank")
        check_raises(
            gp.ArgumentError, lambda: kernels.update(x, np.zeros(8, np.float32), z, invocations=8), "a NumPy array"
        )
        check_raises(
            gp.ArgumentError, lambda: kernels.scalars(True, 2**31, 0, 0.0, out, workgroups=1), "an i32 of 2**31"
        )
        one: Any = 1
        check_raises(gp.ArgumentError, lambda: kernels.scalars(one, 0, 0, 0.0, out, workgroups=1), "1 for a bool")
        check_raises(gp.ArgumentError, lambda: kernels.scalars(True, 0, -1, 0.0, out, workgroups=1), "a u32 of -1")

    def test_eight_arrays(self, gpu: gp.Device) -> None:
        """C115 [Backend interface: Limits.max_buffers]: Eight arrays in one kernel, each at its binding."""
        rng = np.random.default_rng(3)
        hosts = [rng.integers(-99, 99, 50).astype(np.int32) for _ in range(5)]
        a, b, c, d, g = (upload(gpu, host) for host in hosts)
        e, f, h = (poisoned(gpu, 50, np.int32) for _ in range(3))
        kernels.eight_arrays(a, b, c, d, e, f, g, h, invocations=50)
        wanted = (hosts[0] + 10 * hosts[1], hosts[2] - hosts[3], hosts[4] * hosts[0], hosts[1] ^ hosts[3])
        for name, array, exact in zip("efgh", (e, f, g, h), wanted, strict=True):
            check_bits(array.numpy(), exact, f"array {name}")

    def test_unsigned_index(self, gpu: gp.Device) -> None:
        """C116 [Kernel language: indexing]: Arrays are indexed with i32 and with u32."""
        order = np.random.default_rng(3).permutation(70).astype(np.uint32)
        x = np.arange(70, dtype=np.int32) * 3
        out = poisoned(gpu, 70, np.int32)
        kernels.unsigned_index(upload(gpu, x), upload(gpu, order), out, invocations=70)
        check_bits(out.numpy(), x[order], "gathered elements")

    def test_names_of_targets(self, gpu: gp.Device) -> None:
        """C117 [Kernel language: names]: kernel, main, float4, fn, var, let, half, shared, struct, ... are good
        names."""
        x = np.arange(50, dtype=np.float32)
        out = poisoned(gpu, 50, np.float32)
        kernels.kernel(upload(gpu, x), 2.0, out, -3, 7, invocations=50)
        product = x * 2 - 3
        check_bits(out.numpy(), (product + 3) + 7 + product - product, "the kernel named kernel")
        a = np.arange(-20, 30, dtype=np.int32)
        buffer = poisoned(gpu, 50, np.int32)
        kernels.void(upload(gpu, a), buffer, invocations=50)
        check_bits(buffer.numpy(), np.array([_void(int(value)) for value in a], np.int32), "the kernel named void", a=a)

    def test_arrays_arrive(self, gpu: gp.Device) -> None:
        """C118 [Backend interface: Buffer.write, Buffer.read]: Arrays of every dtype and awkward sizes come back as
        they went."""
        rng = np.random.default_rng(6)
        for dtype in (np.float32, np.int32, np.uint32, np.float16, np.float64, np.int64, np.uint64):
            for shape in ((1,), (3,), (7, 5), (1025,), (0,), (0, 4)):
                count = int(np.prod(shape)) * np.dtype(dtype).itemsize
                host = rng.integers(0, 256, count, np.uint8).view(dtype).reshape(shape)
                array = upload(gpu, host)
                check_bits(bits_of(array.numpy()), bits_of(host), f"{np.dtype(dtype)} of shape {shape}")
                check_bits(bits_of(array.copy().numpy()), bits_of(host), f"a copy of {np.dtype(dtype)} {shape}")


def _vectors(dtype: Any, scalar: Any, count: int) -> tuple[Host, Host]:
    rng = np.random.default_rng(17)
    if scalar is np.float32:
        a, b = (rng.integers(-999, 999, (count, dtype.width)).astype(np.float32) / np.float32(8) for _ in range(2))
        return a, b
    a, b = (expected.random_integers(rng, scalar, count * dtype.width).reshape(count, dtype.width) for _ in range(2))
    return a, b


def _void(switch: int) -> int:
    default = 1
    for case in range(4):
        signed = switch * default
        if signed > 100:
            break
        default += case
        switch = signed + 1
    return switch + 6
