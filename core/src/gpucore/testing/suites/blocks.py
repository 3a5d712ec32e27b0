"""Blocks of a workgroup: made of subgroups where the device has them, else of its memory."""

from __future__ import annotations

import numpy as np

import gpucore as gp
from gpucore.testing.checks import Host, check_bits, poisoned, upload
from gpucore.testing.kernels import blocks as kernels

_SIZE, _OWN, _BYTES = kernels.SIZE, kernels.OWN, kernels.BYTES
_GROUPS = 2


def _last_odd(values: Host, initial: int) -> Host:
    """What `kernels.last_odd` makes of the values up to each one."""
    found, last = [], initial
    for value in values.tolist():
        last = last if last % 2 == 1 and value % 2 == 0 else value
        found.append(last)
    return np.array(found, np.int32)


def _ranks(digits: Host) -> Host:
    """The place of each digit of a row, sorted stably."""
    return np.argsort(np.argsort(digits, axis=1, kind="stable"), axis=1, kind="stable").astype(np.int32)


def _total_order(x: Host) -> Host:
    """Integers in the order in which floats are sorted: -0.0 before 0.0, and NaN last."""
    bits = x.view(np.int32).astype(np.int64)
    return np.where(np.isnan(x), 1 << 40, np.where(bits < 0, -1 - (bits & 0x7FFFFFFF), bits))


class BlockTests:
    """Reductions, scans, ranks of digits and sorts of a workgroup, called in loops, too."""

    def test_workgroup_combined(self, gpu: gp.Device) -> None:
        """C850 [Kernel language: blocks]: Sums, scans and reductions over workgroups keep the order of invocations."""
        x = np.random.default_rng(1).integers(-50, 50, (_GROUPS, _SIZE)).astype(np.int32)
        out = poisoned(gpu, (4, x.size), np.int32)
        kernels.combined(upload(gpu, x.ravel()), out, workgroups=_GROUPS)
        before = kernels.ROUNDS * (x.cumsum(1) - x) + np.arange(_SIZE)
        total = x.sum(1, keepdims=True) + 0 * x
        some = [np.full(_SIZE, _last_odd(row[: _SIZE // 2 + 1], 0)[-1], np.int32) for row in x]
        wanted = (before, total, np.stack([_last_odd(row, 7) for row in x]), np.stack(some))
        for found, each, what in zip(out.numpy(), wanted, ("sums before", "sums", "scans", "of some"), strict=True):
            check_bits(found, each.astype(np.int32).ravel(), what)

    def test_workgroup_ranks(self, gpu: gp.Device) -> None:
        """C851 [Kernel language: blocks]: Stable ranks of the digits of a workgroup, one or several of an invocation;
        where the digits of each value start."""
        x = np.random.default_rng(2).integers(0, 1 << 32, (_GROUPS, _SIZE * _OWN), dtype=np.uint32)
        x[1] &= 0x1F
        out, alone = poisoned(gpu, (kernels.ROUNDS, x.size), np.int32), poisoned(gpu, _GROUPS * _SIZE, np.int32)
        starts = poisoned(gpu, (kernels.ROUNDS, _GROUPS * (kernels.BINS + 1)), np.int32)
        kernels.ranks(upload(gpu, x.ravel()), out, starts, alone, workgroups=_GROUPS)
        for number in range(kernels.ROUNDS):
            digits = x >> np.uint32(number) & np.uint32(kernels.BINS - 1)
            check_bits(out.numpy()[number], _ranks(digits).ravel(), f"ranks of round {number}")
            first = [np.searchsorted(np.sort(row), np.arange(kernels.BINS + 1)) for row in digits]
            check_bits(starts.numpy()[number], np.concatenate(first).astype(np.int32), f"starts of round {number}")
        single = x.ravel()[: _GROUPS * _SIZE].reshape(_GROUPS, _SIZE) & np.uint32(3)
        check_bits(alone.numpy(), _ranks(single).ravel(), "ranks of one digit of an invocation")

    def test_workgroup_sorts(self, gpu: gp.Device) -> None:
        """C852 [Kernel language: blocks]: Sorts of a workgroup: stable, descending, of the first keys alone, and total
        for floats."""
        x = np.random.default_rng(3).integers(-9, 9, (_GROUPS, _SIZE * _OWN)).astype(np.float32)
        x[:, ::5], x[:, 1::7], x[0, 2::9], x[1, ::11] = np.nan, -0.0, np.inf, -np.inf
        for count in (x.shape[1], x.shape[1] // 2):
            keys, places = poisoned(gpu, x.size, np.float32), poisoned(gpu, x.size, np.int32)
            kernels.sorts(upload(gpu, x.ravel()), keys, places, count, workgroups=_GROUPS)
            some = x[:, :count]
            order = np.argsort(-_total_order(some), axis=1, kind="stable").astype(np.int32)
            check_bits(places.numpy().reshape(x.shape)[:, :count], order, f"places of {count} keys")
            wanted = np.take_along_axis(some, order, 1)
            check_bits(keys.numpy().reshape(x.shape)[:, :count], wanted, f"{count} keys")
        small = np.random.default_rng(4).integers(0, 256, (_GROUPS, _SIZE * _BYTES)).astype(np.uint8)
        sorted_ = poisoned(gpu, small.size, np.uint8)
        kernels.sorts_bytes(upload(gpu, small.ravel()), sorted_, workgroups=_GROUPS)
        check_bits(sorted_.numpy(), np.sort(small, axis=1).ravel(), "keys of u8")
