"""Indices out of range without debug."""

from __future__ import annotations

import pytest

import gpucore as gp
from gpucore.testing.out_of_range import NO_DEVICE, run_apart


class RangeTests:
    """Each runs in a process of its own, which a broken backend may end."""

    def test_writes_out_of_range(self, gpu: gp.Device) -> None:
        """C650 [Numeric contract: index out of range]: Stores far beside an array end no process, harm no other."""
        _survives("write", gpu)

    def test_reads_out_of_range(self, gpu: gp.Device) -> None:
        """C651 [Numeric contract: index out of range]: Loads from far beside an array end no process."""
        _survives("read", gpu)

    def test_atomics_out_of_range(self, gpu: gp.Device) -> None:
        """C652 [Numeric contract: index out of range]: Atomics far beside an array end no process, harm no other."""
        _survives("atomic", gpu)

    def test_own_arrays_out_of_range(self, gpu: gp.Device) -> None:
        """C653 [Numeric contract: index out of range]: Workgroup and private arrays, likewise."""
        _survives("own", gpu)


def _survives(access: str, gpu: gp.Device) -> None:
    status, said = run_apart(access, gpu)
    if status == NO_DEVICE:
        pytest.skip(f"{gpu.id} is there in this process only: {said.splitlines()[0]}")
    assert status == 0, f"{access} out of range ended a process with status {status}: {said}"
