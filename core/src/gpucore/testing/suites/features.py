"""Language features beyond the portable core, and those that core makes portable."""

from __future__ import annotations

import math

import numpy as np

import gpucore as gp
from gpucore.testing.checks import Host, check, check_bits, poisoned, skip_without, upload
from gpucore.testing.kernels import features as kernels
from gpucore.testing.skipped import Skipped

_SIZE = kernels.SIZE


def _divided(ids: Host, groups: int) -> list[Host]:
    """The invocations of each subgroup, in order of their ids there; fails if the division is invalid."""
    size, number, lane, count = (ids[:, column].reshape(groups, _SIZE) for column in range(4))
    check(bool((size == size[0, 0]).all()) and 1 <= size[0, 0] <= 128, f"one subgroup size, not {set(size.flat)}")
    width = int(size[0, 0])
    subgroups = []
    for group in range(groups):
        check(bool((count[group] == number[group].max() + 1).all()), "num_subgroups counts the subgroups")
        for one in range(int(count[group, 0])):
            members = np.flatnonzero(number[group] == one)
            members = members[np.argsort(lane[group][members])]
            check(1 <= len(members) <= width, f"subgroup {one} has {len(members)} invocations of {width}")
            check_bits(lane[group][members], np.arange(len(members), dtype=np.int32), f"ids in subgroup {one}")
            subgroups.append(members + group * _SIZE)
    return subgroups


def _masks(flags: Host) -> Host:
    """Each row of flags as the four words of a mask."""
    found = np.zeros((len(flags), 16), np.uint8)
    found[:, : -(-flags.shape[1] // 8)] = np.packbits(flags, axis=1, bitorder="little")
    return found.view(np.uint32)


def _counted(keys: Host) -> Host:
    """For each key of a subgroup and each of its digits: how often the digit has come up in the subgroup by then."""
    digits = keys[:, None] >> 2 * np.arange(kernels.DIGITS, dtype=np.uint32) & 3
    so_far = np.zeros((kernels.DIGITS, 4), np.uint32)
    for step in range(kernels.DIGITS):
        so_far[step:] += np.bincount(digits[:, step], minlength=4).astype(np.uint32)
    return np.stack([so_far[step][digits[:, step]] for step in range(kernels.DIGITS)], 1)


class FeatureTests:
    """Ranks, small integers, subgroups, wider atomics, promises, conditional compilation."""

    def test_rank_3(self, gpu: gp.Device) -> None:
        """C810 [Kernel language: rank]: Arrays of rank 3: indices, shape, size, ndim."""
        for shape in ((1, 1, 1), (3, 5, 7), (4, 2, 9)):
            x = np.arange(math.prod(shape), dtype=np.int32).reshape(shape)
            out, sizes = poisoned(gpu, (shape[2], shape[0], shape[1]), np.int32), poisoned(gpu, 2, np.int32)
            kernels.rank_3(upload(gpu, x), out, sizes, invocations=shape[::-1])
            check_bits(out.numpy(), x.transpose(2, 0, 1), f"axes of {shape} in another order")
            check_bits(sizes.numpy(), np.array([x.size, 3], np.int32), "size and ndim")

    def test_rank_4(self, gpu: gp.Device) -> None:
        """C811 [Kernel language: rank]: Arrays of rank 4, in buffers, workgroup and private memory."""
        x = np.random.default_rng(1).integers(-99, 99, (19, 2, 3, 2)).astype(np.float32)
        array = upload(gpu, x)
        kernels.rank_4(array, invocations=19)
        wanted = x.copy()
        wanted[:, 1, 2, 1] = x[:, 0, 2, 1] + 2 * x[:, 1, 1, 0]
        check_bits(array.numpy(), wanted, "the array")

    def test_small_integers(self, gpu: gp.Device) -> None:
        """C812 [Kernel language: types]: i8, u8, i16 and u16 in buffers, private arrays and by value: widened in
        arithmetic, wrapped by conversions from integers, saturated from floats."""
        for dtype in (np.int8, np.uint8, np.int16, np.uint16):
            info = np.iinfo(dtype)
            x = np.random.default_rng(3).integers(info.min, info.max, 131, endpoint=True).astype(dtype)
            x[:6] = (info.min, info.max, 0, 3, 4, info.max // 2 + 1)
            out, wide = upload(gpu, np.zeros(131, dtype)), poisoned(gpu, 131, np.int32)
            delta = dtype(info.max - 2)
            kernels.small(upload(gpu, x), out, wide, delta, invocations=131)
            long = x.astype(np.int64)
            wanted = np.where(long > 3, (long * 2).astype(dtype), x)
            wanted[::5] = np.trunc(x[::5].astype(np.float64) / 2).astype(dtype)
            wanted[::7] = delta
            check_bits(out.numpy(), wanted, f"{np.dtype(dtype)}", x=x)
            check_bits(wide.numpy(), (long * 3 - int(delta)).astype(np.int32), f"widened {np.dtype(dtype)}", x=x)

    def test_subgroup_sums(self, gpu: gp.Device) -> None:
        """C813 [Kernel language: subgroups]: Sums, minima, maxima and scans over subgroups of any size, the last one
        of a workgroup smaller; the ids divide every workgroup, and the size is within the limits of the device."""
        for dtype in (np.int32, np.uint32, np.float32):
            x = np.random.default_rng(4).integers(0, 1000, 3 * _SIZE).astype(dtype)
            ids, out = poisoned(gpu, (x.size, 4), np.int32), poisoned(gpu, (x.size, 5), dtype)
            kernels.subgroup_sums(upload(gpu, x), ids, out, workgroups=3)
            size, most = int(ids.numpy()[0, 0]), gpu.limits.max_subgroup_size
            check(gpu.limits.min_subgroup_size <= size <= (most or size), f"{size} is within the limits")
            wanted = np.zeros((x.size, 5), dtype)
            for members in _divided(ids.numpy(), 3):
                part = x[members]
                sums = part.cumsum(dtype=dtype)
                wanted[members] = np.stack(
                    [np.full_like(part, f(part)) for f in (np.sum, np.min, np.max)] + [sums, sums - part], 1
                )
            check_bits(out.numpy(), wanted, f"over subgroups of {np.dtype(dtype)}")

    def test_subgroup_moves(self, gpu: gp.Device) -> None:
        """C814 [Kernel language: subgroups]: Broadcasts, shuffles between invocations that exist, votes, ballots and
        matches, whose bits of invocations that do not exist are 0."""
        x = np.random.default_rng(5).integers(-50, 50, 2 * _SIZE).astype(np.int32)
        ids, out = poisoned(gpu, (x.size, 4), np.int32), poisoned(gpu, (x.size, 5), np.int32)
        votes, masks = (poisoned(gpu, (x.size, width), np.uint32) for width in (3, 16))
        masks = masks.view(gp.u32x4)
        kernels.subgroup_moves(upload(gpu, x), ids, out, votes, masks, workgroups=2)
        found, voted, masked = out.numpy(), votes.numpy(), masks.numpy()
        for members in _divided(ids.numpy(), 2):
            part, n = x[members], len(members)
            check_bits(found[members, 0], np.full(n, part[0]), "broadcast")
            check_bits(found[members, 1], np.full(n, part[0]), "shuffle")
            pairs = np.arange(n) ^ 1
            check_bits(found[members, 2][pairs < n], part[pairs[pairs < n]], "shuffle_xor")
            check_bits(found[members, 3], np.concatenate([[0], part[:-1]]).astype(np.int32), "shuffle_up")
            check_bits(found[members, 4][:-1], part[1:], "shuffle_down")
            check_bits(voted[members, 0], np.full(n, (part > 40).any(), np.uint32), "any")
            check_bits(voted[members, 1], np.full(n, (part > -45).all(), np.uint32), "all")
            check_bits(voted[members, 2], (np.arange(n) == 0).astype(np.uint32), "elect")
            check_bits(masked[members, 0], _masks(np.tile(part > 0, (n, 1))), "ballot")
            for column, bits in enumerate(kernels.MATCHED):
                low = part.view(np.uint32) & np.uint32(2**bits - 1)
                check_bits(masked[members, column + 1], _masks(low[:, None] == low), f"match of {bits} bits")

    def test_float_atomics(self, gpu: gp.Device) -> None:
        """C815 [Kernel language: atomics]: add, sub, load, store and exchange on f32, in buffers and workgroup
        memory, on every device."""
        x = np.random.default_rng(6).integers(0, 100, 1000).astype(np.float32)
        groups = -(-x.size // 64)
        last = np.arange(2 * groups, dtype=np.float32)
        total, ends = upload(gpu, np.array([0, 50], np.float32)), upload(gpu, last)
        kernels.float_atomics(upload(gpu, x), total, ends, invocations=x.size)
        check_bits(total.numpy(), np.array([x.sum(), 50 - x.sum()], np.float32), "sums")
        check_bits(ends.numpy(), np.concatenate([np.full(groups, 7, np.float32), last[:groups]]), "exchanged")

    def test_long_atomics(self, gpu: gp.Device) -> None:
        """C816 [Kernel language: atomics]: All atomics on i64 and u64, where the device has them."""
        skip_without(gpu, gp.Capability.INT64, gp.Capability.ATOMIC_INT64)
        for dtype in (np.int64, np.uint64):
            info = np.iinfo(dtype)
            x = np.random.default_rng(7).integers(info.min, info.max, 500, dtype=dtype, endpoint=True)
            start = np.array([1, 2, info.max, info.min, -1 if info.min else info.max, 0, 9, 5, 0], dtype)
            out = upload(gpu, start)
            kernels.long_atomics(upload(gpu, x), out, invocations=x.size)
            found = out.numpy()
            wanted = start.copy()
            with np.errstate(over="ignore"):
                wanted[:2] = start[0] + x.sum(dtype=dtype), start[1] - x.sum(dtype=dtype)
            wanted[2:7] = (
                x.min(), x.max(), np.bitwise_and.reduce(x), np.bitwise_or.reduce(x), start[6] ^ np.bitwise_xor.reduce(x)
            )  # fmt: skip
            wanted[7:] = found[7], 3
            check_bits(found, wanted, f"{np.dtype(dtype)}")
            check(bool(np.isin(found[7], x | dtype(8))), "compare_exchange stored the value of one invocation")

    def test_assume_uniform(self, gpu: gp.Device) -> None:
        """C817 [Kernel language: uniformity]: A barrier under a condition given to gp.assume_uniform."""
        flags = np.array([1, 0, 5, -1], np.int32)
        array, out = upload(gpu, flags), poisoned(gpu, 256, np.int32)
        kernels.promised(array, out, workgroups=4)
        own = np.arange(64, dtype=np.int32)
        rows = [np.roll(own[::-1] * 10 if flag > 0 else own, -1) for flag in flags]
        check_bits(out.numpy(), np.concatenate(rows), "after the barriers")

    def test_target(self, gpu: gp.Device) -> None:
        """C818 [Kernel language: gp.target]: Branches on gp.target are chosen when the kernel is compiled; what the
        device cannot do may stand in the branch that is left out."""
        out = poisoned(gpu, 64, np.int32)
        kernels.target(out, invocations=64)
        number = 2 * (gp.Capability.F64 in gpu.capabilities) + 30 * (gp.Capability.INT64 in gpu.capabilities)
        number += 100 * (gpu.kind is gpu.kind.GPU)
        check_bits(out.numpy(), np.full(64, number, np.int32), "what the device has")

    def test_neighbours_of_small_integers(self, gpu: gp.Device) -> None:
        """C819 [Kernel language: types]: Stores of i8, u8, i16 and u16 change no neighbouring element, whichever
        invocations store to those at the same time; arrays of any length."""
        for dtype in (np.int8, np.uint8, np.int16, np.uint16):
            info = np.iinfo(dtype)
            for size in (1, 2, 3, 5, 7, 1003):
                random = np.random.default_rng(size)
                x, before = random.integers(info.min, info.max, (2, size), endpoint=True).astype(dtype)
                at = random.permutation(size).astype(np.uint32)
                out = upload(gpu, before)
                kernels.scatter_small(upload(gpu, x), upload(gpu, at), out, invocations=size)
                wanted, stored = before.copy(), np.arange(size) % 3 != 1
                wanted[at[stored]] += x[stored]
                check_bits(out.numpy(), wanted, f"{size} elements of {np.dtype(dtype)}")

    def test_small_fields(self, gpu: gp.Device) -> None:
        """C820 [Kernel language: struct]: Structs with fields of 8 and 16 bits, of a size that is no multiple of four
        too; stores to a field change no other."""
        size = 301
        random = np.random.default_rng(9)
        dtypes = [np.dtype(cls) for cls in (kernels.Sample, kernels.Sample, kernels.Pixel)]
        x, before, pixels = (
            random.integers(0, 256, (size, dtype.itemsize), np.uint8).view(dtype)[:, 0] for dtype in dtypes
        )
        for array in (x, before):
            array["place"] = random.integers(-9, 9, (size, 2))
        out, painted = (
            gp.asarray(host, cls, device=gpu) for host, cls in ((before, kernels.Sample), (pixels, kernels.Pixel))
        )
        kernels.samples(gp.asarray(x, kernels.Sample, device=gpu), out, painted, invocations=size)
        wanted, colours = before.copy(), pixels.copy()
        wanted["level"] = x["level"] - before["level"]
        wanted["place"][:, 1] = x["place"][:, 0]
        wanted["count"] = x["count"] + x["flag"]
        wanted["pixel"][::2] = pixels[::2]
        colours["green"] = pixels["green"] + x["pixel"]["blue"]
        colours[::3] = x["pixel"][::3]
        for name in wanted.dtype.names:
            check((out.numpy()[name] == wanted[name]).all(), f"the field {name}")
        check((painted.numpy() == colours).all(), "the pixels")

    def test_subgroup_barriers(self, gpu: gp.Device) -> None:
        """C821 [Kernel language: subgroups]: What an invocation stores before a barrier of its subgroup, the others of
        the subgroup load after it, and what they load before it is older."""
        keys = np.random.default_rng(8).integers(0, 1 << 32, 2 * _SIZE, dtype=np.uint32)
        ids, out = poisoned(gpu, (keys.size, 4), np.int32), poisoned(gpu, (keys.size, kernels.DIGITS), np.uint32)
        weights = poisoned(gpu, keys.size, np.float32)
        kernels.subgroup_counts(upload(gpu, keys), ids, out, weights, workgroups=2)
        for members in _divided(ids.numpy(), 2):
            check_bits(out.numpy()[members], _counted(keys[members]), "counts")
            heaviest = np.full(len(members), keys[members[0]] & 1023, np.float32)
            check_bits(weights.numpy()[members], heaviest, "of the first invocation")

    def test_subgroup_size_when_compiling(self, gpu: gp.Device) -> None:
        """C822 [Kernel language: subgroups]: The size and the number of subgroups as compile-time values, where the
        limits of the device say one size, or subgroups are emulated."""
        limits = gpu.limits
        is_known = limits.min_subgroup_size == limits.max_subgroup_size > 0
        if gpu.supports("subgroup") and not is_known:
            raise Skipped(f"subgroups of {gpu.id} have different sizes, or it does not say which")
        x = np.arange(2 * _SIZE, dtype=np.int32)
        sizes, out = poisoned(gpu, (x.size, 2), np.int32), poisoned(gpu, x.size, np.int32)
        kernels.subgroup_sums_in_place(upload(gpu, x), sizes, out, workgroups=2)
        check_bits(out.numpy(), x.reshape(2, _SIZE).sum(axis=1, dtype=np.int32).repeat(_SIZE), "sums of workgroups")
        size = limits.max_subgroup_size if gpu.supports("subgroup") else 8
        wanted = np.tile(np.array([_SIZE // size, -(-_SIZE // size)], np.int32), (x.size, 1))
        check_bits(sizes.numpy(), wanted, "sizes")

    def test_subgroups_apart(self, gpu: gp.Device) -> None:
        """C823 [Kernel language: subgroups]: Operations in branches and loops that whole subgroups take, each its own
        way, where the device has native subgroups."""
        skip_without(gpu, gp.Capability.SUBGROUP)
        x = np.random.default_rng(10).integers(0, 60, 3 * _SIZE).astype(np.int32)
        ids, out = poisoned(gpu, (x.size, 4), np.int32), poisoned(gpu, x.size, np.int32)
        kernels.subgroups_apart(upload(gpu, x), ids, out, workgroups=3)
        divided, number = _divided(ids.numpy(), 3), ids.numpy()[:, 1]
        for members in divided:
            value, steps = x[members].copy(), 0
            if number[members[0]] % 2 == 1:
                value += value[0]
            while value.max() > steps * 10:
                if (value == steps).any():
                    value += np.int32((value > 0).sum())
                steps += 1
            check_bits(out.numpy()[members], value + np.int32(1000 * steps), f"subgroup of {len(members)}")
