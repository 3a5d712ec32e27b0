"""Grids: every invocation runs once with its own ids, whatever the shape and size."""

from __future__ import annotations

import itertools
from functools import partial
from typing import Any

import numpy as np

import gpucore as gp
from gpucore.testing.checks import Host, check_bits, check_raises, poisoned, upload
from gpucore.testing.kernels import grids as kernels


def _ids(size: tuple[int, int, int], groups: tuple[int, int, int]) -> Host:
    """The expected output of `ids`: a row for each invocation, x fastest."""
    lengths = [n * g for n, g in zip(size, groups, strict=True)]
    rows = []
    for z, y, x in itertools.product(*map(range, reversed(lengths))):
        ids = (x, y, z)
        local = [i % n for i, n in zip(ids, size, strict=True)]
        group = [i // n for i, n in zip(ids, size, strict=True)]
        index = (local[2] * size[1] + local[1]) * size[0] + local[0]
        rows.append([*ids, *local, *group, *groups, *size, index])
    return np.array(rows, np.int32)


class GridTests:
    """Dispatches of every shape."""

    def test_ids(self, gpu: gp.Device) -> None:
        """C700 [Kernel language: ids]: global_id, local_id, workgroup_id, num_workgroups, workgroup_size,
        local_index on 1, 2 and 3 axes."""
        for size, groups in (
            ((16, 1, 1), (5, 1, 1)),
            ((4, 8, 1), (3, 2, 1)),
            ((2, 3, 4), (3, 2, 2)),
            ((1, 1, 8), (2, 3, 2)),
        ):
            wanted = _ids(size, groups)
            out = poisoned(gpu, wanted.shape, np.int32)
            kernels.ids_kernel(size)(size[0] * groups[0], size[1] * groups[1], out, workgroups=groups)
            check_bits(out.numpy(), wanted, f"ids of {groups} workgroups of {size}")

    def test_workgroup_sizes(self, gpu: gp.Device) -> None:
        """C701 [Backend interface: Limits.max_workgroup_size]: Workgroups of 256 along x, along y and in squares; 64
        along z."""
        for size in ((256, 1, 1), (1, 256, 1), (16, 16, 1), (1, 1, 64), (1, 1, 1), (7, 5, 3)):
            wanted = _ids(size, (2, 1, 1))
            out = poisoned(gpu, wanted.shape, np.int32)
            kernels.ids_kernel(size)(size[0] * 2, size[1], out, workgroups=(2, 1, 1))
            check_bits(out.numpy(), wanted, f"ids of workgroups of {size}")

    def test_partial_workgroups(self, gpu: gp.Device) -> None:
        """C702 [Kernel language: invocations]: n is not a multiple of the workgroup size; other elements are
        unchanged."""
        for n in (1, 2, 63, 64, 65, 127, 300):
            before = np.arange(400, dtype=np.int32) - 1000
            out = upload(gpu, before)
            kernels.first_n(n, out, invocations=n)
            check_bits(
                out.numpy(), np.where(np.arange(400) < n, np.arange(400) * 2, before).astype(np.int32), f"n = {n}"
            )

    def test_partial_workgroups_on_two_axes(self, gpu: gp.Device) -> None:
        """C703 [Kernel language: invocations]: invocations=(x, y) that are not multiples of the workgroup size."""
        size, width, height = (8, 4, 1), 19, 10
        out = poisoned(gpu, (width * height, 16), np.int32)
        kernels.ids_kernel(size)(width, height, out, invocations=(width, height))
        full = _ids(size, (3, 3, 1)).reshape(12, 24, 16)
        check_bits(out.numpy(), full[:height, :width].reshape(-1, 16), "ids of 19 x 10")

    def test_each_invocation_once(self, gpu: gp.Device) -> None:
        """C704 [Backend interface: Device.dispatch]: Every invocation of every workgroup runs exactly once."""
        for groups in (1, 2, 3, 17):
            out = upload(gpu, np.zeros(64 * groups, np.uint32))
            kernels.unguarded(out, workgroups=groups)
            check_bits(out.numpy(), np.ones(64 * groups, np.uint32), f"runs of {groups} workgroups")

    def test_no_invocations(self, gpu: gp.Device) -> None:
        """C705 [Numeric contract: dispatch]: Zero invocations or workgroups, on any axis, are a no-op."""
        before = np.arange(64, dtype=np.int32)
        out = upload(gpu, before)
        grids: tuple[dict[str, Any], ...] = (
            {"invocations": 0},
            {"workgroups": 0},
            {"invocations": (5, 0)},
            {"workgroups": (0, 7, 2)},
            {"workgroups": (2, 2, 0)},
        )
        for grid in grids:
            kernels.first_n(64, out, **grid)
        check_bits(out.numpy(), before, "the array")

    def test_empty_arrays(self, gpu: gp.Device) -> None:
        """C706 [Kernel language: arrays]: Empty arrays can be bound and read, and have size 0."""
        empty = upload(gpu, np.zeros(0, np.uint32))
        kernels.one_by_one(empty, workgroups=3)
        kernels.one_by_one(empty, workgroups=0)
        check_bits(empty.numpy(), np.zeros(0, np.uint32), "an empty array")
        rows = poisoned(gpu, (0, 16), np.int32)
        kernels.ids_kernel((4, 8, 1))(4, 8, rows, workgroups=1)
        check_bits(rows.numpy(), np.zeros((0, 16), np.int32), "an empty array of rank 2")

    def test_most_workgroups(self, gpu: gp.Device) -> None:
        """C707 [Backend interface: Limits.max_workgroups]: 65,535 workgroups along x in one dispatch."""
        _check_one_by_one(gpu, 65535)

    def test_folded(self, gpu: gp.Device) -> None:
        """C708 [Numeric contract: dispatch beyond a device's limits]: 65,536 workgroups along x, one more than many
        devices take, each with the requested ids."""
        _check_one_by_one(gpu, 65536)

    def test_folded_axes(self, gpu: gp.Device) -> None:
        """C709 [Numeric contract: dispatch beyond a device's limits]: More than 65,535 workgroups along y, and along
        z."""
        for x, y, z in ((1, 65537, 1), (1, 1, 65537)):
            out = poisoned(gpu, x * y * z, np.int32)
            kernels.along_axes(out, workgroups=(x, y, z))
            ids = np.indices((z, y, x))
            check_bits(out.numpy(), (ids[2] + 2 * ids[1] + 3 * ids[0]).reshape(-1).astype(np.int32), f"{x} x {y} x {z}")

    def test_folded_with_barrier(self, gpu: gp.Device) -> None:
        """C710 [Numeric contract: dispatch beyond a device's limits]: Folded workgroups keep their barriers."""
        n = 2 * 65535 + 1
        out = poisoned(gpu, n, np.int32)
        kernels.pairs_with_barrier(out, invocations=n)
        i = np.arange(n)
        check_bits(out.numpy(), ((i ^ 1) * 2 + 65536).astype(np.int32), "pairs")

    def test_grids_in_turn(self, gpu: gp.Device) -> None:
        """C711 [Backend interface: Device.dispatch]: One kernel with a different grid for each dispatch, without
        waiting."""
        out = upload(gpu, np.zeros(640, np.uint32))
        for groups in (1, 10, 3, 7, 2):
            kernels.unguarded(out, workgroups=groups)
        wanted = sum((np.arange(640) < 64 * groups).astype(np.uint32) for groups in (1, 10, 3, 7, 2))
        check_bits(out.numpy(), wanted, "runs")

    def test_refused_grids(self, gpu: gp.Device) -> None:
        """C712 [Kernel language: arguments]: Negative counts, four axes, or both of the two: ArgumentError."""
        out = upload(gpu, np.zeros(64, np.uint32))
        grids: tuple[dict[str, Any], ...] = (
            {"invocations": 1, "workgroups": 1},
            {"workgroups": -1},
            {"invocations": (1, 1, 1, 1)},
            {"invocations": 1.5},
        )
        for grid in grids:
            check_raises(gp.ArgumentError, partial(kernels.unguarded, out, **grid), f"the grid {grid}")
        check_bits(out.numpy(), np.zeros(64, np.uint32), "the array after refused calls")


def _check_one_by_one(gpu: gp.Device, count: int) -> None:
    out = poisoned(gpu, count, np.uint32)
    kernels.one_by_one(out, workgroups=count)
    check_bits(out.numpy(), np.arange(count, dtype=np.uint32) * 3 + np.uint32(count), f"{count} workgroups")
