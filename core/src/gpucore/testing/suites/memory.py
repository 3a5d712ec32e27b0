"""Workgroup and private memory, barriers, atomics."""

from __future__ import annotations

import numpy as np

import gpucore as gp
from gpucore.testing import expected
from gpucore.testing.checks import check, check_bits, poisoned, skip_without, upload
from gpucore.testing.kernels import memory as kernels

_SIZE = kernels.SIZE


class MemoryTests:
    """Workgroup arrays, private arrays, atomics."""

    def test_reduction(self, gpu: gp.Device) -> None:
        """C600 [Kernel language: barrier]: The sum of each workgroup, with a barrier in a loop of run-time length."""
        for dtype in (np.int32, np.uint32, np.float32):
            for size in (1, 63, 64, 65, 1000):
                x = np.random.default_rng(size).integers(0, 1000, size).astype(dtype)
                groups = -(-size // _SIZE)
                out = poisoned(gpu, groups, dtype)
                kernels.reduce(upload(gpu, x), out, invocations=size)
                padded = np.concatenate([x, np.zeros(groups * _SIZE - size, dtype)])
                check_bits(
                    out.numpy(), padded.reshape(-1, _SIZE).sum(1, dtype=dtype), f"sums of {size} {np.dtype(dtype)}"
                )

    def test_transpose(self, gpu: gp.Device) -> None:
        """C601 [Kernel language: workgroup_array]: A transpose through a tile of rank 2, whole and partial tiles."""
        for rows, columns in ((8, 8), (16, 40), (13, 21), (1, 9)):
            x = np.arange(rows * columns, dtype=np.uint32).reshape(rows, columns)
            out = poisoned(gpu, (columns, rows), np.uint32)
            kernels.transpose(upload(gpu, x), out, invocations=(columns, rows))
            check_bits(out.numpy(), x.T, f"transpose of {rows} x {columns}")

    def test_scan(self, gpu: gp.Device) -> None:
        """C602 [Kernel language: barrier]: Prefix sums of each workgroup: two barriers in each round."""
        x = np.random.default_rng(2).integers(-99, 99, 5 * _SIZE).astype(np.int32)
        out = poisoned(gpu, x.size, np.int32)
        kernels.scan(upload(gpu, x), out, invocations=x.size)
        check_bits(out.numpy(), x.reshape(-1, _SIZE).cumsum(1, dtype=np.int32).reshape(-1), "prefix sums", x=x)

    def test_two_arrays(self, gpu: gp.Device) -> None:
        """C603 [Kernel language: workgroup_array]: Two arrays, one of vectors, each workgroup with its own."""
        for rounds in (0, 1, 9):
            out = poisoned(gpu, (6, _SIZE), np.int32)
            kernels.rotate(rounds, out, workgroups=6)
            left = np.arange(_SIZE) * 10 + np.arange(6)[:, None]
            for _ in range(rounds):
                left = np.roll(left, -1, 1) + 1
            check_bits(out.numpy(), np.roll(left, -5, 1).astype(np.int32), f"after {rounds} rounds")

    def test_barrier_orders_buffers(self, gpu: gp.Device) -> None:
        """C604 [IR: Barrier]: A workgroup's stores to a buffer before a barrier are visible to it afterwards."""
        data = np.random.default_rng(2).integers(-99, 99, 4 * _SIZE).astype(np.int32)
        array, out = upload(gpu, data), poisoned(gpu, data.size, np.int32)
        kernels.through_buffer(array, out, invocations=data.size)
        after = data.reshape(-1, _SIZE) * 2 + np.arange(_SIZE)
        check_bits(array.numpy(), after.reshape(-1).astype(np.int32), "the buffer")
        check_bits(out.numpy(), (np.roll(after, -1, 1) + after[:, ::-1]).reshape(-1).astype(np.int32), "neighbours")

    def test_barriers_of_workgroup_memory(self, gpu: gp.Device) -> None:
        """C611 [IR: Barrier]: A barrier without buffers orders workgroup memory; a later one orders what was stored to
        buffers before both."""
        data = np.random.default_rng(3).integers(-99, 99, 4 * _SIZE).astype(np.int32)
        array, out = upload(gpu, data), poisoned(gpu, data.size, np.int32)
        kernels.through_both(array, out, invocations=data.size)
        rows = data.reshape(-1, _SIZE)
        after = rows[:, ::-1] * 2
        check_bits(array.numpy(), after.reshape(-1).astype(np.int32), "the buffer")
        check_bits(out.numpy(), (np.roll(after, -1, 1) + np.roll(rows, 3, 1)).reshape(-1).astype(np.int32), "both")

    def test_vectors_of_neighbours(self, gpu: gp.Device) -> None:
        """C613 [Kernel language: vload, vstore]: Vectors of neighbouring elements, at indices and in slices of every
        alignment."""
        count = 2 * _SIZE
        for dtype, start in ((np.float32, 0), (np.int32, 1), (np.uint32, 2), (np.float32, 3)):
            x, rows = np.arange(4 * count + 8).astype(dtype) - dtype(9), np.arange(70).astype(dtype).reshape(14, 5)
            for shift in (0, 3):
                out, thirds = poisoned(gpu, 4 * count + 4, dtype), upload(gpu, np.zeros((14, 5), dtype))
                pairs = poisoned(gpu, 2 * count, dtype)
                given = upload(gpu, x)[start : start + 4 * count + 4], shift, upload(gpu, rows)
                kernels.vectors_of_neighbours(*given, out[start : start + 4 * count], thirds, pairs, invocations=count)
                tiles = x[start + shift : start + shift + 4 * count].reshape(2, _SIZE, 4)
                copied = out.numpy()[start : start + 4 * count]
                check_bits(copied, x[start : start + 4 * count], f"copies of {dtype.__name__} from {start}")
                check_bits(pairs.numpy(), (tiles[:, ::-1, :2] + tiles[:, :, 2:]).reshape(-1), f"from {shift}")
                third = np.stack([row[k % 3 : k % 3 + 3] + 1 for k, row in enumerate(rows)]).astype(dtype)
                check_bits(thirds.numpy(), np.concatenate([np.zeros((14, 2), dtype), third], 1), "rows")

    def test_arrays_in_turn(self, gpu: gp.Device) -> None:
        """C612 [Kernel language: workgroup_array]: Arrays of several types that are in use in turn, whatever memory
        they share."""
        x, lanes = np.random.default_rng(6).integers(-99, 99, 3 * _SIZE).astype(np.float32), np.arange(_SIZE)
        for n in (0, 3):
            out = poisoned(gpu, x.size, np.float32)
            kernels.stages(upload(gpu, x), n, out, invocations=x.size)
            value = x.reshape(-1, _SIZE)[:, ::-1].copy()
            for k in range(n):
                value += (lanes + k) % (_SIZE // 2) % 16
                value = np.roll(value, -1, 1) + np.float32(0.5)
            sums = np.array([lanes[lanes % 4 == k].sum() for k in range(4)])
            value += sums[3 - lanes % 4]
            wanted = -value[:, ::-1][:, lanes ^ 1] * 2 + value
            check_bits(out.numpy(), wanted.reshape(-1).astype(np.float32), f"{n} rounds", x=x)

    def test_uniform_barriers(self, gpu: gp.Device) -> None:
        """C605 [Kernel language: barrier]: Barriers under uniform conditions and in loops of uniform length."""
        flags = (np.arange(_SIZE) % 3).astype(np.int32)
        for n in (1, 5):
            out = poisoned(gpu, 5 * _SIZE, np.int32)
            kernels.uniform_barriers(upload(gpu, flags), n, out, workgroups=5)
            shared = np.arange(_SIZE) + np.arange(5)[:, None]
            shared = shared[:, ::-1] * 2 if n > 2 else shared
            wanted = np.where(flags > 0, np.roll(shared, -3, 1), -shared)
            check_bits(out.numpy(), wanted.reshape(-1).astype(np.int32), f"uniform barriers, n = {n}")

    def test_workgroup_memory_of_16_kib(self, gpu: gp.Device) -> None:
        """C606 [Backend interface: Limits.max_workgroup_memory]: 16 KiB of workgroup memory, every element of its
        own."""
        out = poisoned(gpu, 2 * 4096, np.uint32)
        kernels.all_of_workgroup_memory(out, workgroups=2)
        wanted = (np.arange(4096, dtype=np.uint32) * 7)[::-1] + np.arange(2, dtype=np.uint32)[:, None]
        check_bits(out.numpy(), wanted.reshape(-1).astype(np.uint32), "16 KiB")

    def test_private_array_in_registers(self, gpu: gp.Device) -> None:
        """C607 [Kernel language: private_array]: Indexed by compile-time values, with swaps; unset elements are 0."""
        a = np.arange(-5, 20, dtype=np.int32)
        out = poisoned(gpu, (6, a.size), np.int32)
        kernels.registers(upload(gpu, a), out, invocations=a.size)
        rows = []
        for value in a:
            cells = [int(value) * (k + 1) for k in range(5)] + [0]
            for k in range(4):
                if cells[k] % 2 == 0:
                    cells[k], cells[k + 1] = cells[k + 1], cells[k]
            rows.append(cells)
        check_bits(out.numpy(), np.array(rows, np.int32).T, "private array", a=a)

    def test_private_array_at_run_time_indices(self, gpu: gp.Device) -> None:
        """C608 [Kernel language: private_array]: Indexed at run time; zero at first, and again where a loop declares
        it."""
        a = np.arange(40, dtype=np.int32)
        out = poisoned(gpu, (9, a.size), np.int32)
        kernels.dynamic(upload(gpu, a), out, invocations=a.size)
        wanted = np.zeros((9, a.size), np.int32)
        for i, n in enumerate(a):
            for k in range(int(n)):
                wanted[(k * k + i) % 8, i] += 1
        total = 0
        for _ in range(3):
            total = total * 10 + 9
        wanted[8] = total
        check_bits(out.numpy(), wanted, "private array", a=a)

    def test_insertion_sort(self, gpu: gp.Device) -> None:
        """C609 [Kernel language: private_array]: An insertion sort: while with `and` whose right side reads the
        array."""
        x = np.random.default_rng(5).permutation(200).astype(np.float32)
        out = poisoned(gpu, x.size, np.float32)
        kernels.insertion_sort(upload(gpu, x), out, invocations=40)
        check_bits(out.numpy(), np.sort(x.reshape(-1, 5), 1).reshape(-1), "sorted fives")

    def test_prefetch(self, gpu: gp.Device) -> None:
        """C610 [Kernel language: prefetch]: A prefetch changes no result and no array, also at an index out of range
        and in a divergent branch."""
        x = np.random.default_rng(11).permutation(75).astype(np.int32)
        table, before = np.arange(12, dtype=np.int32).reshape(4, 3) + 100, np.arange(75, dtype=np.int32) * 1000
        added = x[::-1] * table[np.arange(75) % 4, 1] * (x % 3 == 0)
        for ahead in (0, 5, 75, -1, -1000, 2**31 - 1, -(2**31)):
            inputs, out = (upload(gpu, x), upload(gpu, table)), upload(gpu, before)
            kernels.prefetch(*inputs, out, ahead, invocations=x.size)
            check_bits(out.numpy(), (before + x + added) * 2, f"with ahead = {ahead}", x=x)
            for array, given in zip(inputs, (x, table), strict=True):
                check_bits(array.numpy(), given, f"an input, with ahead = {ahead}")

    def test_device_fence(self, gpu: gp.Device) -> None:
        """C629 [Kernel language: device_fence]: What workgroups store before a fence and an atomic, the one that comes
        last loads after it has seen their atomics and fenced, in each of several launches."""
        skip_without(gpu, gp.Capability.DEVICE_FENCE)
        random, groups = np.random.default_rng(12), 300
        parts, count = poisoned(gpu, (groups, 64), np.int32), upload(gpu, np.zeros(1, np.uint32))
        for _ in range(8):
            x = random.integers(-1000, 1000, (groups, 64), np.int32)
            out = poisoned(gpu, 64, np.int32)
            kernels.last_workgroup(upload(gpu, x.reshape(-1)), parts, count, out, workgroups=groups)
            check_bits(out.numpy(), 3 * x.sum(axis=0, dtype=np.int32), "sums of all workgroups")
            check_bits(count.numpy(), np.zeros(1, np.uint32), "the count")

    def test_histogram(self, gpu: gp.Device) -> None:
        """C620 [Kernel language: atomics]: atomic_add on i32 and u32 loses no addition."""
        keys = np.random.default_rng(7).integers(0, 2**32, 700, np.uint32)
        for dtype in (np.int32, np.uint32):
            start = np.arange(16, dtype=dtype)
            counts, total = upload(gpu, start), upload(gpu, np.array([5], dtype))
            kernels.histogram(upload(gpu, keys), counts, total, invocations=keys.size)
            check_bits(counts.numpy(), (start + np.bincount(keys % 16, minlength=16)).astype(dtype), "the histogram")
            check_bits(total.numpy(), np.array([5 + 3 * 700], dtype), "the total")

    def test_tickets(self, gpu: gp.Device) -> None:
        """C621 [Kernel language: atomics]: atomic_add returns the old value; no two invocations get the same."""
        counter, drawn = upload(gpu, np.zeros(1, np.uint32)), upload(gpu, np.zeros(600, np.uint32))
        kernels.tickets(600, counter, drawn, invocations=600)
        check_bits(drawn.numpy(), np.ones(600, np.uint32), "how often each ticket was drawn")
        check_bits(counter.numpy(), np.array([600], np.uint32), "the counter")

    def test_atomic_extremes(self, gpu: gp.Device) -> None:
        """C622 [Kernel language: atomics]: atomic_min, atomic_max and atomic_sub, signed and unsigned, wrapping."""
        for dtype in (np.int32, np.uint32):
            info = np.iinfo(dtype)
            x = np.random.default_rng(9).integers(info.min, info.max, 500, dtype)
            found = upload(gpu, np.array([info.max, info.min, 17], dtype))
            kernels.extremes(upload(gpu, x), found, invocations=x.size)
            left = expected.wrap(17 - int(x.sum(dtype=object)), dtype)
            check_bits(found.numpy(), np.array([x.min(), x.max(), left], dtype), f"{np.dtype(dtype)}")

    def test_atomic_bits(self, gpu: gp.Device) -> None:
        """C623 [Kernel language: atomics]: atomic_and, atomic_or and atomic_xor."""
        for dtype in (np.int32, np.uint32):
            x = np.random.default_rng(9).integers(0, 2**32, 100, np.uint32).view(dtype) | dtype(0x00F00000)
            ones = np.array([0xFFFFFFFF], np.uint32).view(dtype)[0]
            found = upload(gpu, np.array([ones, 0, 0], dtype))
            kernels.bits(upload(gpu, x), found, invocations=x.size)
            wanted = [np.bitwise_and.reduce(x), np.bitwise_or.reduce(x), np.bitwise_xor.reduce(x)]
            check_bits(found.numpy(), np.array(wanted, dtype), f"{np.dtype(dtype)}")

    def test_exchange(self, gpu: gp.Device) -> None:
        """C624 [Kernel language: atomics]: atomic_exchange: every value put in is taken out once, except the last."""
        for dtype in (np.int32, np.uint32):
            cell, out = upload(gpu, np.zeros(1, dtype)), poisoned(gpu, 300, dtype)
            kernels.exchange(300, cell, out, invocations=300)
            check_bits(np.sort(np.append(out.numpy(), cell.numpy())), np.arange(301, dtype=dtype), "what was exchanged")

    def test_compare_exchange(self, gpu: gp.Device) -> None:
        """C625 [Kernel language: atomics]: atomic_compare_exchange: one winner for each cell, visible to the losers."""
        for dtype in (np.int32, np.uint32):
            cells = upload(gpu, np.zeros(10, dtype))
            won, seen = poisoned(gpu, 300, np.uint32), poisoned(gpu, 300, dtype)
            kernels.compare_exchange(300, cells, won, seen, invocations=300)
            winners, final = won.numpy().reshape(30, 10), cells.numpy()
            check_bits(winners.sum(0), np.ones(10, winners.sum(0).dtype), "winners of each cell")
            ids = np.arange(300).reshape(30, 10) + 1
            check_bits(final, (winners * ids).sum(0).astype(dtype), "what the winners stored")
            check_bits(seen.numpy().reshape(30, 10), np.where(winners == 1, 0, final).astype(dtype), "what was seen")

    def test_atomic_load_and_store(self, gpu: gp.Device) -> None:
        """C626 [Kernel language: atomics]: atomic_load and atomic_store, every bit."""
        for dtype in (np.int32, np.uint32):
            x, before = (np.random.default_rng(k).integers(0, 2**32, 90, np.uint32).view(dtype) for k in (1, 2))
            cells, out = upload(gpu, before), poisoned(gpu, 90, dtype)
            kernels.load_store(upload(gpu, x), cells, out, invocations=90)
            check_bits(out.numpy(), before, "loaded")
            check_bits(cells.numpy(), x, "stored")

    def test_workgroup_atomics(self, gpu: gp.Device) -> None:
        """C627 [Kernel language: atomics]: Atomics on workgroup arrays: a histogram, least and greatest of each
        workgroup."""
        for dtype in (np.int32, np.uint32):
            info = np.iinfo(dtype)
            keys = np.random.default_rng(3).integers(info.min, info.max, 4 * _SIZE, dtype)
            counts, ends = poisoned(gpu, (4, 8), dtype), poisoned(gpu, (4, 2), dtype)
            kernels.workgroup_atomics(upload(gpu, keys), counts, ends, invocations=keys.size)
            rows = keys.reshape(4, _SIZE)
            wanted = [np.bincount((row & 7).astype(np.int64), minlength=8) for row in rows]
            check_bits(counts.numpy(), np.array(wanted).astype(dtype), "histograms of workgroups")
            check_bits(ends.numpy(), np.stack([rows.min(1), rows.max(1)], 1), "least and greatest")

    def test_barrier_in_divergent_flow(self, gpu: gp.Device) -> None:
        """C628 [Kernel language: barrier]: A barrier that only some invocations reach is refused before it runs."""
        refused = False
        try:
            kernels.divergent(poisoned(gpu, 64, np.int32), invocations=64)
        except gp.UniformityError:
            refused = True
        check(refused, "a barrier in divergent control flow was compiled")
